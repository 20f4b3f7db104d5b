import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { close, listen } from '../server/http-server.ts';
import { optionalText } from '../shared/resource-type.ts';

/** The answer of a custom resource's function (CloudFormation, "Custom resource response objects"). */
const answerSchema = v.looseObject({
  Status: v.picklist(['SUCCESS', 'FAILED']),
  Reason: optionalText,
  PhysicalResourceId: optionalText,
});

export type CustomResourceAnswer = v.InferOutput<typeof answerSchema>;

/** Takes the answers of custom resources, as the presigned address in `ResponseURL` does in AWS. */
export interface AnswerEndpoint {
  /** Gives an address for one answer, and the answer when it comes. */
  readonly expect: (requestId: string) => {
    readonly url: string;
    readonly answer: Promise<CustomResourceAnswer>;
  };
  readonly close: () => Promise<void>;
}

/** Listens on a port of 127.0.0.1 that the system chooses. */
export async function openAnswerEndpoint(): Promise<AnswerEndpoint> {
  const expected = new Map<string, (answer: CustomResourceAnswer) => void>();
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const settle = request.method === 'PUT' ? expected.get(path) : undefined;
    const answer = parseAnswer(Buffer.concat(await request.toArray()));
    response.statusCode = settle && answer ? 200 : 400;
    response.end();
    if (settle && answer) {
      settle(answer);
    }
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    expect: (requestId) => {
      const path = `/${requestId}`;
      const answer = new Promise<CustomResourceAnswer>((resolve) => expected.set(path, resolve));
      return { url: `http://127.0.0.1:${port}${path}`, answer };
    },
    close: () => close(server, 0),
  };
}

function parseAnswer(body: Buffer): CustomResourceAnswer | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), answerSchema), body.toString('utf8'));
  return parsed.success ? parsed.output : undefined;
}
