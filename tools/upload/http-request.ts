import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isTransient, reasonOf } from '../operator/errors.ts';
import { CommandError } from '../terminal/errors.ts';
import type { Journal } from './journal.ts';
import type { Attempt } from './retry.ts';

/** A response with its whole body. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The request id that API Gateway or S3 names. */
  readonly requestId: string | undefined;
}

/** A POST. */
export interface Call {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** API Gateway answers within 30 s, with an error of its own if the service did not answer. */
const callTimeoutMilliseconds = 35_000;

/** Opens a request on its own connection. It follows no redirects, so that credentials reach only the given URL. */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return request(url, { ...options, agent: false });
}

/** Sends one small request and reads its response. */
function send({ url, headers, body }: Call): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = openRequest(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
    });
    request.on('error', reject);
    // For the whole response: a timeout of the socket never ends a response that drips.
    const timer = setTimeout(() => request.destroy(timedOut()), callTimeoutMilliseconds);
    request.once('close', () => clearTimeout(timer));
    request.once('response', (response) => readResponse(response).then(resolve, reject));
    request.end(body);
  });
}

/** The error for a connection that was idle for too long. */
export function timedOut(): Error {
  return Object.assign(new Error('no response came in time'), { code: 'ETIMEDOUT' });
}

export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const body = (await response.setEncoding('utf8').toArray()).join('');
  const { statusCode: status = 0, headers } = response;
  const id = String(headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '');
  // Another side wrote the id, so a text that does not look like an id is left out.
  return { status, headers, body, requestId: /^[\w=-]{1,64}$/.exec(id)?.[0] };
}

/** Whether a repeated request may succeed. A 501 is final: S3 sends it for a header that it does not support. */
export function isTemporary(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** Sends a request to the service as one attempt. A broken connection and a temporary status are retried. */
export async function attemptCall(
  call: Call,
  what: string,
  journal: Journal,
): Promise<Attempt<HttpResponse>> {
  journal.ids = {};
  try {
    const response = await send(call);
    journal.ids = { request_id: response.requestId };
    if (isTemporary(response.status)) {
      return { retry: `${what} responded with ${response.status}.`, waitSeconds: retryAfter(response) };
    }
    return { done: response };
  } catch (error) {
    const reason = `${what} at ${call.url.host} cannot be reached: ${reasonOf(error)}.`;
    if (!isTransient(error)) {
      throw new CommandError(reason);
    }
    return { retry: reason };
  }
}

/** The wait that the response asks for in seconds, if any (RFC 9110 section 10.2.3). A date is ignored. */
export function retryAfter({ headers: { 'retry-after': value = '' } }: HttpResponse): number | undefined {
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
