import { type ClientRequest, request } from 'node:http';

/** What a client knows after a PUT: the status, or that the connection ended before one came. */
export type PutOutcome = { readonly status: number } | 'interrupted';

/** PUTs the whole body, as curl does: nothing but Content-Length beside Host. */
export function put(url: string, body: Buffer): Promise<PutOutcome> {
  return send(url, body.length, (outgoing) => outgoing.end(body));
}

/** Announces the whole body, sends a part of it and hangs up. */
export function putCutShort(url: string, body: Buffer): Promise<PutOutcome> {
  return send(url, body.length, (outgoing) => {
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  });
}

function send(url: string, length: number, write: (outgoing: ClientRequest) => void): Promise<PutOutcome> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method: 'PUT', headers: { 'content-length': length }, agent: false });
    outgoing.once('error', () => resolve('interrupted'));
    outgoing.once('close', () => resolve('interrupted'));
    outgoing.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0 }));
      response.once('error', () => resolve('interrupted'));
    });
    write(outgoing);
  });
}
