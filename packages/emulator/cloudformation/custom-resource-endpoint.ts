import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { close, listen } from '../server/http-server.ts';
import { optionalText } from '../shared/resource-type.ts';

/** Response of a custom resource's function (CloudFormation, "Custom resource response objects"). */
const responseSchema = v.looseObject({
  Status: v.picklist(['SUCCESS', 'FAILED']),
  Reason: optionalText,
  PhysicalResourceId: optionalText,
});

export type CustomResourceResponse = v.InferOutput<typeof responseSchema>;

/** Receives the responses of custom resources, as the presigned URL in `ResponseURL` does in AWS. */
export interface CustomResourceEndpoint {
  /** Creates a URL for one response, and a promise of that response. */
  readonly expect: (requestId: string) => {
    readonly url: string;
    readonly result: Promise<CustomResourceResponse>;
  };
  readonly close: () => Promise<void>;
}

/** Listens on a port of 127.0.0.1 that the system chooses. */
export async function openCustomResourceEndpoint(): Promise<CustomResourceEndpoint> {
  const expected = new Map<string, (result: CustomResourceResponse) => void>();
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const settle = request.method === 'PUT' ? expected.get(path) : undefined;
    const result = parseResponse(Buffer.concat(await request.toArray()));
    response.statusCode = settle && result ? 200 : 400;
    response.end();
    if (settle && result) {
      settle(result);
    }
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    expect: (requestId) => {
      const path = `/${requestId}`;
      const result = new Promise<CustomResourceResponse>((resolve) => expected.set(path, resolve));
      return { url: `http://127.0.0.1:${port}${path}`, result };
    },
    close: () => close(server, 0),
  };
}

function parseResponse(body: Buffer): CustomResourceResponse | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), responseSchema), body.toString('utf8'));
  return parsed.success ? parsed.output : undefined;
}
