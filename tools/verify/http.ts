import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface Question {
  readonly method: string;
  /** Path and query as they are to be sent, without the normalisation of `URL`. */
  readonly path: string;
  /** A list is sent as that many header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request as it stands, over a connection of its own: a kept-alive one may be closed under it. */
export function exchange(origin: string, { method, path, headers = {}, body }: Question): Promise<Answer> {
  const { protocol, hostname, port } = new URL(origin);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      // Node repeats any header that is a list, though its types say so for a few only.
      { hostname, port, method, path, headers: headers as OutgoingHttpHeaders, agent: false },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        buffer(incoming).then((bytes) => resolve({ status, headers, text: bytes.toString('utf8') }), reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** CRC-64/NVME in the answer to a PUT, in base64. */
export function checksumOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  const checksum = headers['x-amz-checksum-crc64nvme'];
  return typeof checksum === 'string' ? checksum : undefined;
}

/** Status and error code: `412 PreconditionFailed`. */
export function shortly({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** The API, and how it is asked. */
interface Api {
  readonly baseUrl: string;
  readonly http: typeof exchange;
}

/** Asks the API. The path is sent as it is, after the path of the base URL. */
export function ask({ http, baseUrl }: Api, question: Question): Promise<Answer> {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return http(baseUrl, { ...question, path: `${prefix}${question.path}` });
}

/** The answer to a request with a token. */
export function askVolumes(world: Api, token: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` };
  return ask(world, { method: 'GET', path: '/v0/volumes', headers });
}

/** Puts content to an upload URL. */
export function put(
  { http }: Pick<Api, 'http'>,
  url: URL,
  body = 'content',
  headers: Question['headers'] = {},
): Promise<Answer> {
  return http(url.origin, { method: 'PUT', path: `${url.pathname}${url.search}`, body, headers });
}
