import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { recordProduced, recordProducedUrl } from '../../support/produced-secrets.ts';

/** A list is sent as one header line per value. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Returns the header of a request with an access token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface Question {
  readonly method: string;
  /** Path and query as sent, without the normalisation of `URL`. */
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
  /** Address of this machine from which the request is sent. */
  readonly localAddress?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends one request over its own connection, since a server may close a kept-alive connection during a
 * request that must not be repeated. Adds only Host, Connection and Content-Length to the request.
 */
export function exchange(origin: string, question: Question): Promise<HttpResponse> {
  const url = new URL(origin);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { method, path, headers = {}, body, localAddress } = question;
  // Tokens that the suite signed itself count, too, even forged ones: no log may contain them.
  recordSecrets(String(headers.authorization ?? ''));
  return new Promise((resolve, reject) => {
    const outgoing = send(
      {
        hostname: url.hostname,
        port: url.port,
        method,
        path,
        // Node repeats any header whose value is a list, although its types allow lists only for a few.
        headers: headers as OutgoingHttpHeaders,
        agent: false,
        ...(localAddress !== undefined && { localAddress }),
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

/** Records tokens and upload URLs anywhere in a text. */
function recordSecrets(text: string): void {
  for (const [token] of text.matchAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/g)) {
    recordProduced('access token', token);
  }
  for (const [uploadUrl] of text.matchAll(/https?:\/\/[^\s"]+X-Amz-Signature=[^\s"]+/g)) {
    recordProducedUrl(uploadUrl);
  }
}

/** Returns the challenge of a 401 or 403. API Gateway may rename the header, so both names are checked. */
export function challengeOf({ headers }: HttpResponse): string {
  return String(headers['www-authenticate'] ?? headers['x-amzn-remapped-www-authenticate'] ?? '');
}

/**
 * Sends a message over one connection, and returns all data received until the server closes it or a minute
 * passes.
 */
export function exchangeRaw(origin: string, message: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(origin);
    let received = '';
    const timer = setTimeout(() => socket.destroy(), 60_000);
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

/** Sends the beginning of a message and closes the connection, like a network failure. */
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

/** Returns the status of a response from {@link exchangeRaw}, and skips interim responses (1xx). */
export function statusOf(received: string): number {
  const statuses = [...received.matchAll(/(?:^|\r\n\r\n)HTTP\/1\.1 (\d{3})/g)].map((match) =>
    Number(match[1]),
  );
  return statuses.find((status) => status >= 200) ?? 0;
}
