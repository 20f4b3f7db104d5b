import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { FileSyncError, reasonOf, systemCode } from './errors.ts';

/** A request to the service or the storage. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of a POST, or chunks of a PUT. The first chunk is read when the server can receive it. */
  readonly body: string | AsyncGenerator<Uint8Array, void>;
  readonly signal: AbortSignal | undefined;
}

/** A response with its whole body. The body of a successful PUT is not read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Request id from API Gateway or S3. */
  readonly requestId: string | undefined;
}

/** API Gateway responds within 30 s, with its own error if the service did not respond. */
const responseMilliseconds = 35_000;

/** Idle time after which a connection counts as failed. */
const idleMilliseconds = 120_000;

/** A server may not support `Expect`, so the body is sent after this time (RFC 9110 section 10.1.1). */
const continueMilliseconds = 3_000;

/** Honest responses have at most a few KiB. */
const maxResponseLength = 1024 * 1024;

/**
 * Sends a request on its own connection. It does not follow redirects, so credentials reach only the given URL.
 *
 * @throws {FileSyncError} without a response: `unavailable` if a retry may help
 */
export async function send({ url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const isPut = typeof body !== 'string';
  const request = open(url, { method: isPut ? 'PUT' : 'POST', headers, signal, agent: false });
  const stop = () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
  // The idle limit would not end a response that arrives byte by byte.
  let timer = isPut ? undefined : setTimeout(stop, responseMilliseconds);
  if (isPut) {
    request.setTimeout(idleMilliseconds, stop);
  }
  const responded = new Promise<HttpResponse>((resolve, reject) => {
    request.on('error', reject);
    request.once('response', (response) => {
      timer ??= setTimeout(stop, responseMilliseconds);
      readResponse(response, isPut).then(resolve, reject);
    });
  });
  try {
    // After a response, the rest of the body need not be sent.
    await Promise.race([write(request, body), responded]);
    return await responded;
  } catch (error) {
    if (error instanceof FileSyncError) {
      throw error;
    }
    // Not for an unknown host name or a bad certificate.
    const mayPass = /^(EAI_AGAIN|E(?!NOTFOUND|PROTO)[A-Z]+)$/.test(systemCode(error) ?? '');
    throw new FileSyncError(
      mayPass ? 'unavailable' : 'rejected',
      `The connection to ${url.host} failed: ${reasonOf(error)}.`,
    );
  } finally {
    clearTimeout(timer);
    request.destroy();
    if (isPut) {
      body.return().catch(() => undefined);
    }
  }
}

async function write(request: ClientRequest, body: HttpRequest['body']): Promise<void> {
  if (typeof body === 'string') {
    request.end(body);
    return;
  }
  const [socket] = await once(request, 'socket');
  await once(socket, request.protocol === 'https:' ? 'secureConnect' : 'connect');
  if (request.hasHeader('expect')) {
    await Promise.race([once(request, 'continue'), wait(continueMilliseconds, undefined, { ref: false })]);
  }
  for await (const chunk of body) {
    if (chunk.length > 0) {
      // Waits until the connection does not need the bytes any more. After an error, the request fails.
      await new Promise<void>((resolve) => request.write(chunk, (error) => error ?? resolve()));
    }
  }
  request.end();
}

/** Reads the body, but not after a successful PUT: a lost body must not cause a retry. */
async function readResponse(response: IncomingMessage, isPut: boolean): Promise<HttpResponse> {
  const { statusCode: status = 0, headers } = response;
  let body = '';
  if (!isPut || status !== 200) {
    for await (const chunk of response.setEncoding('utf8')) {
      body += chunk;
      if (body.length > maxResponseLength) {
        throw new FileSyncError(
          'rejected',
          `A response with ${status} has more than 1 MiB. Check the base URL.`,
        );
      }
    }
  }
  const id = String(headers['apigw-requestid'] ?? headers['x-amz-request-id'] ?? '');
  // Untrusted: any other text is left out.
  return { status, headers, body, requestId: /^[\w=-]{1,39}$/.exec(id)?.[0] };
}

/**
 * Rejects a response if a retry may succeed: 429 and 5xx, but not 501, which S3 sends for a header that it
 * does not support. The error contains the wait from Retry-After (RFC 9110 section 10.2.3). A date is ignored.
 *
 * @param isTemporary true for another response after which a retry may succeed
 * @throws {FileSyncError} `unavailable`
 */
export function rejectTemporary(
  { status, headers }: HttpResponse,
  message: string,
  isTemporary = false,
): void {
  if (isTemporary || status === 429 || (status >= 500 && status !== 501)) {
    const value = headers['retry-after'] ?? '';
    const seconds = /^\d{1,12}$/.test(value) ? Number(value) : 0;
    const text = seconds > 0 ? `${message} It asks to wait ${seconds} s.` : message;
    throw new FileSyncError('unavailable', text, undefined, seconds);
  }
}
