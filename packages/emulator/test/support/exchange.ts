import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes unchanged.
 *
 * @param until pattern in the response that ends the connection. By default the server ends it
 * @param end true if no more bytes can follow
 * @returns the whole response
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

/** Returns the status and the body of a response. */
export function briefly(response: string): string {
  const [head = '', body] = response.split('\r\n\r\n');
  return `${head.split(' ')[1]} ${body}`;
}
