import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient, messageOf, reasonOf, systemCode } from '../operator/errors.ts';
import { CommandError } from '../terminal/errors.ts';
import { type HttpResponse, openRequest, readResponse, timedOut } from './http-request.ts';
import type { Source } from './source.ts';

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

/**
 * Streams the source to the upload URL in one PUT. It sends no header that would require a signature.
 *
 * @param progress callback with the number of bytes sent so far, called once there is a connection
 * @throws {CommandError} if the source cannot be read, or changed during the transfer. In both cases, S3
 * stores no object
 */
export async function putSource(
  url: URL,
  source: Source,
  progress: (sent: number) => void,
): Promise<PutOutcome> {
  const asksFirst = source.size >= expectContinueBytes;
  const request = openRequest(url, {
    method: 'PUT',
    headers: { 'content-length': String(source.size), ...(asksFirst && { expect: '100-continue' }) },
  });
  const responded = responseOf(request);
  // Bytes handed to the connection. The storage may receive the last byte before the request is reported as
  // finished, so the count includes it.
  let sent = 0;
  let connected = false;
  const report = () => connected && progress(sent);
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      connected = true;
      report();
    });
  });
  const md5 = createHash('md5');
  async function* content() {
    for await (const chunk of source.read()) {
      md5.update(chunk);
      sent += chunk.length;
      report();
      yield chunk;
    }
  }
  try {
    const goAhead = asksFirst ? askFirst(request, responded) : Promise.resolve(true);
    if (await goAhead) {
      const sending = pipeline(content, request);
      sending.catch(() => undefined);
      // After a response, the rest of the body need not be sent.
      await Promise.race([sending, responded]);
    }
    return { response: await responded, md5: md5.digest('hex') };
  } catch (error) {
    if (error instanceof CommandError) {
      throw error;
    }
    const sentWhole = connected && sent === source.size;
    if (sentWhole || isTransient(error)) {
      return { interrupted: systemCode(error) ?? messageOf(error), sentWhole };
    }
    throw new CommandError(`The storage at ${url.host} cannot be reached: ${reasonOf(error)}.`);
  } finally {
    request.destroy();
  }
}

function responseOf(request: ClientRequest): Promise<HttpResponse> {
  const responded = new Promise<HttpResponse>((resolve, reject) => {
    request.on('error', reject);
    request.setTimeout(idleMilliseconds, () => request.destroy(timedOut()));
    request.once('response', (response) => readResponse(response).then(resolve, reject));
  });
  // Prevents an unhandled rejection before the first await, which would end the process.
  responded.catch(() => undefined);
  return responded;
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
