import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BusEvent } from 'cloud-assembly-emulator';

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: BusEvent;
}

/**
 * A server that takes events.
 *
 * @param statusFor the status of an answer, by the event and the number of events before
 */
export async function startConsumer(statusFor: (event: BusEvent, before: number) => number) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join('')) as BusEvent;
    const status = statusFor(body, received.length);
    received.push({ method, headers, body });
    response.writeHead(status, { location: '/elsewhere' }).end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/events?of=uploads`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
