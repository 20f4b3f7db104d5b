import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { CommandError, isTransient, reasonOf } from '../errors.ts';
import { type Attempt, parseRetryAfter } from './retry.ts';

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** API Gateway answers within 30 s, if only to say that the service did not. */
const callTimeoutMilliseconds = 35_000;

/** No answer of the service or the storage comes near this. */
const maximumAnswerBytes = 1024 * 1024;

/** Opens a request on a connection of its own. Redirects are never followed: credentials go where they are meant. */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return request(url, { ...options, agent: false });
}

/** Sends one small request and reads its answer. */
export function send({ method, url, headers = {}, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = openRequest(url, {
      method,
      headers: { accept: 'application/json', ...headers, ...length },
    });
    request.on('error', reject);
    request.setTimeout(callTimeoutMilliseconds, () => request.destroy(timedOut()));
    request.once('response', (response) => readAnswer(response).then(resolve, reject));
    request.end(body);
  });
}

/** The error of a connection on which nothing happened for too long. */
export function timedOut(): Error {
  return Object.assign(new Error('nothing came back in time'), { code: 'ETIMEDOUT' });
}

export async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumAnswerBytes) throw new CommandError('The answer is longer than any that was expected.');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Sends a request, as one attempt: a broken connection, 429 and 5xx are worth another. */
export async function attemptCall(call: Call, what: string): Promise<Attempt<Answer>> {
  try {
    const answer = await send(call);
    if (answer.status !== 429 && answer.status < 500) return { done: answer };
    return { retry: `${what} answered ${answer.status}.`, ...retryAfter(answer) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = `${what} at ${call.url.host} cannot be reached: ${reasonOf(error)}.`;
    if (!isTransient(error)) throw new CommandError(reason);
    return { retry: reason };
  }
}

/** How long the answer asks to wait, if it does. */
export function retryAfter({ headers }: Answer): { readonly waitSeconds?: number } {
  const waitSeconds = parseRetryAfter(headers['retry-after'], Date.now());
  return waitSeconds === undefined ? {} : { waitSeconds };
}
