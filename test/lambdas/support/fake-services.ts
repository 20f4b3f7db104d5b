import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of an AWS service, as it arrived. */
export interface ServiceCall {
  /** `GetItem`, `GetSecretValue`, `AssumeRole`. */
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** What the services hold. */
export interface ServiceContents {
  /** Texts of the secrets, by ARN. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The items that reads find, by table. */
  readonly items?: Readonly<Record<string, unknown>>;
}

/** Secrets Manager, DynamoDB and STS at one address, with fixed contents. They keep every call. */
export interface FakeServices {
  readonly endpoint: string;
  readonly calls: readonly ServiceCall[];
  readonly stop: () => Promise<void>;
}

/** The credentials of every session that the fake STS gives. */
export const sessionCredentials = {
  accessKeyId: 'ASIASESSION',
  secretAccessKey: 'session-secret',
  sessionToken: 'session-token',
};

export async function startFakeServices(contents: ServiceContents): Promise<FakeServices> {
  const calls: ServiceCall[] = [];
  const server = createServer((request, response) => void serve(request, response, contents, calls));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: () => stop(server),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  contents: ServiceContents,
  calls: ServiceCall[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  const call = readCall(request, Buffer.concat(chunks).toString('utf8'));
  calls.push(call);
  if (call.action === 'AssumeRole') {
    response.writeHead(200, { 'content-type': 'text/xml' }).end(assumedRole);
  } else {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answerTo(call, contents)));
  }
}

/** The JSON services name the action in a header, and STS in its form. */
function readCall({ headers }: IncomingMessage, body: string): ServiceCall {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    return { action: target.slice(target.indexOf('.') + 1), input: JSON.parse(body), headers };
  }
  const input = Object.fromEntries(new URLSearchParams(body));
  return { action: input.Action ?? '', input, headers };
}

function answerTo({ action, input }: ServiceCall, { secrets = {}, items = {} }: ServiceContents): unknown {
  if (action === 'GetSecretValue') {
    return { SecretString: secrets[String(input.SecretId)] };
  }
  return action === 'GetItem' ? { Item: items[String(input.TableName)] } : {};
}

const assumedRole = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>${sessionCredentials.accessKeyId}</AccessKeyId>
<SecretAccessKey>${sessionCredentials.secretAccessKey}</SecretAccessKey>
<SessionToken>${sessionCredentials.sessionToken}</SessionToken>
<Expiration>2030-01-01T00:00:00Z</Expiration>
</Credentials></AssumeRoleResult></AssumeRoleResponse>`;

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
