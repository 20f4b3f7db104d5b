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
  /** Request id from API Gateway or S3. */
  readonly requestId: string | undefined;
}

/** A POST request. */
export interface Call {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** API Gateway responds within 30 s, with its own error if the service did not respond. */
const callTimeoutMilliseconds = 35_000;

/**
 * Opens a request on its own connection. It does not follow redirects, so credentials reach only the given
 * URL.
 */
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
    // Limits the time of the whole response: a socket timeout does not end a response that arrives slowly.
    const timer = setTimeout(() => request.destroy(timedOut()), callTimeoutMilliseconds);
    request.once('close', () => clearTimeout(timer));
    request.once('response', (response) => readResponse(response).then(resolve, reject));
    request.end(body);
  });
}

/** Returns the error for a connection that timed out. */
export function timedOut(): Error {
  return Object.assign(new Error('no response came in time'), { code: 'ETIMEDOUT' });
}

export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const body = (await response.setEncoding('utf8').toArray()).join('');
  const { statusCode: status = 0, headers } = response;
  const id = String(headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '');
  // The id is untrusted: any other text is left out.
  return { status, headers, body, requestId: /^[\w=-]{1,64}$/.exec(id)?.[0] };
}

/** Returns true if a retry may succeed. A 501 is final: S3 sends it for a header that it does not support. */
export function isTemporary(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/**
 * Sends a request to the service as one attempt. Broken connections and temporary statuses can be retried.
 */
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

/**
 * Returns the seconds to wait from the Retry-After header, if any (RFC 9110 section 10.2.3). A date is
 * ignored.
 */
export function retryAfter({ headers: { 'retry-after': value = '' } }: HttpResponse): number | undefined {
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
