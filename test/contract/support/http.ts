import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { recordProduced, recordProducedUrl } from '../../support/produced-secrets.ts';

/** A list is sent as that many header lines. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface Question {
  readonly method: string;
  /** Path and query as they are to be sent, without the normalisation of `URL`. */
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
}

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * One request over a connection of its own, since a kept-alive one may be closed under a request that must not be
 * repeated. Nothing is added to what is asked but Host, Connection and Content-Length.
 */
export function exchange(origin: string, question: Question): Promise<HttpResponse> {
  const url = new URL(origin);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { method, path, headers = {}, body } = question;
  // Tokens that the suite made itself, the forged ones too: no log may hold those either.
  recordSecrets(String(headers.authorization ?? ''));
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        hostname: url.hostname,
        port: url.port,
        method,
        path,
        // Node repeats any header that is a list, though its types say so for a few only.
        headers: headers as OutgoingHttpHeaders,
        agent: false,
      },
      (incoming) => {
        buffer(incoming)
          .then((body) => toResponse(incoming.statusCode ?? 0, incoming.headers, body))
          .then(resolve, reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function toResponse(status: number, headers: IncomingHttpHeaders, body: Buffer): HttpResponse {
  const text = body.toString('utf8');
  recordSecrets(text);
  return { status, headers, text };
}

/** Remembers tokens and upload URLs, wherever they stand in a text. */
function recordSecrets(text: string): void {
  for (const [token] of text.matchAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/g)) {
    recordProduced('access token', token);
  }
  for (const [uploadUrl] of text.matchAll(/https?:\/\/[^\s"]+X-Amz-Signature=[^\s"]+/g)) {
    recordProducedUrl(uploadUrl);
  }
}

/** The challenge of a 401 or 403. API Gateway may rename the header, so that it is looked for under both names. */
export function challengeOf({ headers }: HttpResponse): string {
  return String(headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'] ?? '');
}

/** What a server sent on one connection until it closed it, or until ten seconds had passed. */
export function exchangeRaw(origin: string, message: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(origin);
    let received = '';
    const timer = setTimeout(() => socket.destroy(), 10_000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.write(message);
  });
}

/** Sends the beginning of a message and cuts the connection, as a lost network does. */
export function cutShort(origin: string, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(origin);
    socket.once('error', reject);
    socket.write(message, () => {
      socket.once('close', () => resolve());
      socket.destroy();
    });
  });
}

function openSocket(origin: string) {
  const url = new URL(origin);
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  return secure
    ? connectTls({ host: url.hostname, port, servername: url.hostname })
    : connectTcp({ host: url.hostname, port });
}

/** Status of a response as {@link exchangeRaw} gives it; interim answers (1xx) are passed over. */
export function statusOf(received: string): number {
  const statuses = [...received.matchAll(/(?:^|\r\n\r\n)HTTP\/1\.1 (\d{3})/g)].map((match) =>
    Number(match[1]),
  );
  return statuses.find((status) => status >= 200) ?? 0;
}
