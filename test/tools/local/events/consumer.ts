import { createServer, type IncomingMessage } from 'node:http';
import type { BusEvent } from 'cloud-assembly-emulator';
import { listen } from '../../../support/listen.ts';

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: BusEvent;
}

/**
 * A server that takes events.
 *
 * @param statusFor the status of a response, by the event and the number of events before
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
  return { received, url: `${await listen(server)}/events?of=uploads` };
}
