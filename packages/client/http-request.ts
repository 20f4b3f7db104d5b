import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { FileSyncError, isTransient, reasonOf } from './errors.ts';
import type { Attempt } from './retry.ts';

/** A response with its whole body. The body of a successful PUT is not read. */
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
const responseMilliseconds = 35_000;

/** Honest responses have at most a few KiB. */
const maxResponseLength = 1024 * 1024;

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
    const timer = setTimeout(() => request.destroy(timedOut()), responseMilliseconds);
    request.once('close', () => clearTimeout(timer));
    request.once('response', (response) => readResponse(response).then(resolve, reject));
    request.end(body);
  });
}

/** Returns the error for a connection that timed out. */
export function timedOut(): Error {
  return Object.assign(new Error('no response came in time'), { code: 'ETIMEDOUT' });
}

/** @throws {FileSyncError} if the body exceeds 1 MiB */
export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const { statusCode: status = 0, headers } = response;
  const timer = setTimeout(() => response.destroy(timedOut()), responseMilliseconds);
  let body = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      body += chunk;
      if (body.length > maxResponseLength) {
        throw new FileSyncError(
          'rejected',
          `A response with ${status} has more than 1 MiB. Check the base URL.`,
        );
      }
    }
  } finally {
    clearTimeout(timer);
  }
  return { status, headers, body, requestId: requestIdOf(response) };
}

/** Returns the request id. It is untrusted: any other text is left out. */
export function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const id = String(headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '');
  return /^[\w=-]{1,39}$/.exec(id)?.[0];
}

/** Returns true if a retry may succeed. A 501 is final: S3 sends it for a header that it does not support. */
export function isTemporary(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/**
 * Sends a request to the service as one attempt. Broken connections and temporary statuses can be retried.
 *
 * @param onResponse callback with the request id of the response
 */
export async function attemptCall(
  call: Call,
  what: string,
  onResponse: (requestId: string | undefined) => void,
): Promise<Attempt<HttpResponse>> {
  onResponse(undefined);
  try {
    const response = await send(call);
    onResponse(response.requestId);
    if (isTemporary(response.status)) {
      return { retry: `${what} responded with ${response.status}.`, waitSeconds: retryAfter(response) };
    }
    return { done: response };
  } catch (error) {
    if (error instanceof FileSyncError) {
      throw error;
    }
    const reason = `${what} at ${call.url.host} cannot be reached: ${reasonOf(error)}.`;
    if (!isTransient(error)) {
      throw new FileSyncError('rejected', reason);
    }
    return { retry: reason };
  }
}

/**
 * Returns the seconds to wait from the Retry-After header, if any (RFC 9110 section 10.2.3). A date is
 * ignored.
 */
export function retryAfter({ headers: { 'retry-after': value = '' } }: HttpResponse): number | undefined {
  return /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
