import { createServer, type IncomingMessage } from 'node:http';
import type { BusEvent } from 'cloud-assembly-emulator';
import { listen } from '../../../support/listen.ts';

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: BusEvent;
}

/**
 * Starts a server that receives events.
 *
 * @param statusFor function that returns the response status from the event and the number of earlier events
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
