import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { FileSyncError, isTransient, reasonOf, systemCode } from './errors.ts';
import { createHasher, type Hasher } from './hasher.ts';
import { type HttpResponse, openRequest, readResponse, requestIdOf, timedOut } from './http-request.ts';
import type { OpenSource, Reader } from './source.ts';

/** Minimum size for `Expect: 100-continue`, which lets the storage reject the request before the transfer. */
const expectContinueBytes = 1024 * 1024;

/**
 * Time after which the body is sent without a response: a server may not support `Expect` (RFC 9110 section
 * 10.1.1).
 */
const continueWaitMilliseconds = 3_000;

/** Idle time after which a connection counts as failed. */
const idleMilliseconds = 120_000;

/** Outcome of a PUT: a response, or an interruption. */
export type PutOutcome =
  | {
      readonly response: HttpResponse;
      /** MD5 of the bytes sent, lower-case hex. */
      readonly md5: string;
    }
  | {
      /** Reason of the interruption. */
      readonly interrupted: string;
      /** True if all bytes were sent. They may be stored, although the response was lost. */
      readonly sentWhole: boolean;
    };

/** One PUT. */
export interface Put {
  readonly url: URL;
  readonly source: OpenSource;
  /** Callback with the number of bytes sent so far, called once there is a connection. */
  readonly onSent: (sent: number) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Streams the source to the upload URL in one PUT. It sends no header that would require a signature.
 *
 * @throws {FileSyncError} if the source cannot be read, or changed during the transfer. In both cases, S3
 * stores no object
 */
export async function putSource({ url, source, onSent, signal }: Put): Promise<PutOutcome> {
  const asksFirst = source.size >= expectContinueBytes;
  const request = openRequest(url, {
    method: 'PUT',
    headers: { 'content-length': String(source.size), ...(asksFirst && { expect: '100-continue' }) },
    ...(signal && { signal }),
  });
  const responded = responseOf(request);
  // Bytes handed to the connection. The storage may receive the last byte before the request is reported as
  // finished, so the count includes it.
  let sent = 0;
  let connected = false;
  const report = (length: number) => {
    sent += length;
    if (connected) {
      onSent(sent);
    }
  };
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      connected = true;
      report(0);
    });
  });
  const hasher = createHasher(source.size);
  const reader = source.start();
  try {
    const goAhead = asksFirst ? askFirst(request, responded) : Promise.resolve(true);
    if (await goAhead) {
      const sending = sendBody(request, reader, hasher, report).catch((error: unknown) => {
        if (error instanceof FileSyncError) {
          throw error;
        }
        // A server may respond before it closes the connection. Else the request fails with the reason.
        return responded;
      });
      sending.catch(() => undefined);
      // After a response, the rest of the body need not be sent.
      await Promise.race([sending, responded]);
    }
    const response = await responded;
    return { response, md5: sent === source.size ? await hasher.digest() : '' };
  } catch (error) {
    if (error instanceof FileSyncError) {
      throw error;
    }
    const sentWhole = connected && sent === source.size;
    if (sentWhole || isTransient(error)) {
      return { interrupted: systemCode(error) ?? reasonOf(error), sentWhole };
    }
    throw new FileSyncError('rejected', `The storage at ${url.host} cannot be reached: ${reasonOf(error)}.`);
  } finally {
    request.destroy();
    hasher.close();
    reader.close();
  }
}

async function sendBody(
  request: ClientRequest,
  reader: Reader,
  hasher: Hasher,
  report: (length: number) => void,
): Promise<void> {
  for (;;) {
    const buffer = await hasher.buffer();
    const length = await reader.read(buffer);
    if (length === 0) {
      request.end();
      return;
    }
    report(length);
    await write(request, buffer.subarray(0, length));
    hasher.add(buffer, length);
  }
}

/** Resolves when the connection does not need the bytes any more. */
function write(request: ClientRequest, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('the connection was closed'));
    request.once('close', fail);
    request.write(bytes, (error) => {
      request.removeListener('close', fail);
      if (error) {
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

function responseOf(request: ClientRequest): Promise<HttpResponse> {
  const responded = new Promise<HttpResponse>((resolve, reject) => {
    request.on('error', reject);
    request.setTimeout(idleMilliseconds, () => request.destroy(timedOut()));
    request.once('response', (response) => readOutcome(response).then(resolve, reject));
  });
  // Prevents an unhandled rejection before the first await, which would end the process.
  responded.catch(() => undefined);
  return responded;
}

/** Reads the body of a rejection only: after a success, a lost body must not cause a retry. */
async function readOutcome(response: IncomingMessage): Promise<HttpResponse> {
  const { statusCode: status = 0, headers } = response;
  return status >= 200 && status < 300
    ? { status, headers, body: '', requestId: requestIdOf(response) }
    : readResponse(response);
}

/** @returns true to send the body: the storage requested it, or did not respond in time */
async function askFirst(request: ClientRequest, responded: Promise<HttpResponse>): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    return await Promise.race([
      once(request, 'continue', { signal }).then(() => true),
      delay(continueWaitMilliseconds, true, { signal }),
      responded.then(() => false),
    ]);
  } finally {
    waiting.abort();
  }
}
