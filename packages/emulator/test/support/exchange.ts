import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes as they are.
 *
 * @param until ends the connection when it has come. By default the server ends it
 * @param end whether nothing can follow the bytes
 * @returns everything that came back
 */
export async function exchange(
  address: string,
  parts: readonly (string | Buffer)[],
  { until, end = false }: { readonly until?: RegExp; readonly end?: boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: end });
  let response = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    response += chunk;
    if (until?.test(response)) {
      socket.destroy();
    }
  });
  // The server may end while the rest is still being sent.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  for (const part of parts) {
    socket.write(part);
  }
  if (end) {
    socket.end();
  }
  await closed;
  return response;
}

/** The status and the body of what came back. */
export function briefly(response: string): string {
  const [head = '', body] = response.split('\r\n\r\n');
  return `${head.split(' ')[1]} ${body}`;
}
