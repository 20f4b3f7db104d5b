import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer to CloudFormation. */
export interface Received {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Record<string, unknown>;
}

/** Takes the answers to CloudFormation, refusing the first `refusals`. */
export async function withReceiver(
  use: (url: string, received: Received[]) => Promise<void>,
  refusals = 0,
): Promise<void> {
  const received: Received[] = [];
  let left = refusals;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({
      method: request.method,
      contentType: request.headers['content-type'],
      body: JSON.parse(body) as Record<string, unknown>,
    });
    response.writeHead(left-- > 0 ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?signature=hush`, received);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
