import { createHash } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { createCrc64Nvme } from '../operator/crc64-nvme.ts';
import { isTransient, messageOf, reasonOf, systemCode } from '../operator/errors.ts';
import { CommandError } from '../terminal/errors.ts';
import { type Answer, openRequest, readAnswer, timedOut } from './http-request.ts';
import type { Source } from './source.ts';

/** A transfer uses two buffers of this size, however large the file is. */
const chunkBytes = 512 * 1024;

/** From this size, `Expect: 100-continue` asks the storage first, so that a refusal comes before the transfer. */
const expectContinueBytes = 1024 * 1024;

/** After this wait the body is sent anyway: a server may not support `Expect` (RFC 9110 section 10.1.1). */
const continueWaitMilliseconds = 1000;

/** A connection that is idle for this long has failed. */
const idleMilliseconds = 120_000;

/** What was computed of the bytes sent. */
export interface SentDigests {
  /** Lower-case hex. */
  readonly md5: string;
  /** Base64, as S3 writes it. */
  readonly crc64nvme: string;
}

/** How a PUT ended: with an answer, or interrupted. */
export type PutOutcome =
  | { readonly answer: Answer; readonly digests: SentDigests }
  | {
      /** The reason. */
      readonly interrupted: string;
      /** Whether all bytes were sent: they may be stored, and only the answer was lost. */
      readonly sentWhole: boolean;
    };

/**
 * Streams the source to the upload URL in one PUT. It sends no header that would have to be signed.
 *
 * @param progress is called with the number of bytes sent so far
 * @throws {CommandError} when the source cannot be read, or changed during the transfer; nothing is stored then
 */
export async function putSource(
  url: URL,
  source: Source,
  progress: (sent: number) => void,
): Promise<PutOutcome> {
  const digests = createDigests();
  const request = openRequest(url, { method: 'PUT', headers: putHeaders(source.size) });
  const answered = answerOf(request);
  let sentWhole = false;
  request.once('finish', () => {
    sentWhole = true;
  });
  try {
    await waitForContinue(request, answered, source.size);
    await sendBody(request, source, digests.update, answered, progress);
    return { answer: await answered, digests: await digests.finish() };
  } catch (error) {
    if (error instanceof CommandError) {
      throw error;
    }
    if (sentWhole || isTransient(error)) {
      return { interrupted: systemCode(error) ?? messageOf(error), sentWhole };
    }
    throw new CommandError(`The storage at ${url.host} cannot be reached: ${reasonOf(error)}.`);
  } finally {
    request.destroy();
  }
}

function createDigests() {
  const md5 = createHash('md5');
  const crc64nvme = createCrc64Nvme();
  return {
    update: (chunk: Buffer): void => {
      md5.update(chunk);
      crc64nvme.update(chunk);
    },
    finish: async (): Promise<SentDigests> => ({
      md5: md5.digest('hex'),
      crc64nvme: await crc64nvme.digest(),
    }),
  };
}

function putHeaders(size: number): Record<string, string> {
  return { 'content-length': String(size), ...(size >= expectContinueBytes && { expect: '100-continue' }) };
}

function answerOf(request: ClientRequest): Promise<Answer> {
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject);
    request.setTimeout(idleMilliseconds, () => request.destroy(timedOut()));
    request.once('response', (response) => readAnswer(response).then(resolve, reject));
  });
  // A rejection before the first await must not end the process as unhandled.
  answered.catch(() => undefined);
  return answered;
}

/** Waits until the storage asks for the body, answers without it, or stays silent for too long. */
async function waitForContinue(
  request: ClientRequest,
  answered: Promise<Answer>,
  size: number,
): Promise<void> {
  if (size < expectContinueBytes) {
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<void>((resolve) => {
    request.once('socket', (socket) => {
      const wait = () => {
        timer = setTimeout(resolve, continueWaitMilliseconds);
      };
      if (socket.connecting) {
        socket.once('connect', wait);
      } else {
        wait();
      }
    });
  });
  const continued = new Promise<void>((resolve) => request.once('continue', resolve));
  try {
    await Promise.race([continued, silence, answered]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendBody(
  request: ClientRequest,
  source: Source,
  digest: (chunk: Buffer) => void,
  answered: Promise<Answer>,
  progress: (sent: number) => void,
): Promise<void> {
  let hasEnded = false;
  const markEnded = () => {
    hasEnded = true;
  };
  // An answer or an error before the end of the body: the rest need not be sent.
  const ended = answered.then(markEnded, markEnded);
  // One buffer is sent while the other is filled.
  const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  let sending: Promise<void> = Promise.resolve();
  let sent = 0;
  for (let position = 0, turn = 0; position < source.size; position += chunkBytes, turn += 1) {
    const chunk = buffers[turn % 2 === 0 ? 0 : 1].subarray(0, Math.min(chunkBytes, source.size - position));
    await source.read(chunk, position);
    digest(chunk);
    await Promise.race([sending, ended]);
    if (hasEnded) {
      return;
    }
    progress(sent);
    // S3 stores nothing until the last byte has arrived, so the check comes before the last chunk.
    if (position + chunk.length === source.size) {
      await source.verifyUnchanged();
    }
    sending = write(request, chunk);
    sent += chunk.length;
  }
  await Promise.race([sending, ended]);
  if (hasEnded) {
    return;
  }
  if (source.size === 0) {
    await source.verifyUnchanged();
  }
  progress(sent);
  request.end();
}

function write(request: ClientRequest, chunk: Buffer): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    request.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
  written.catch(() => undefined);
  return written;
}
