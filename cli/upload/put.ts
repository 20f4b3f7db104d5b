import { createHash, type Hash } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { CommandError, isTransient, messageOf, reasonOf, systemCode } from '../errors.ts';
import { type Answer, openRequest, readAnswer, timedOut } from './http.ts';
import type { Source } from './source.ts';

/** Two buffers of this size are all that a file of any size takes. */
const chunkBytes = 512 * 1024;

/** From this size on the storage is asked first, so that a refusal does not cost the transfer. */
const askFirstBytes = 1024 * 1024;

/** A server that knows nothing of asking first says nothing (RFC 9110 section 10.1.1). */
const continueMilliseconds = 1000;

/** A connection on which nothing moves for so long is dead. */
const idleMilliseconds = 120_000;

/** How a PUT ended: with an answer, or broken off. */
export type PutOutcome =
  | { readonly answer: Answer /** Of the bytes sent, lower-case hex. */; readonly md5: string }
  | {
      readonly interrupted: string;
      /** Whether every byte had left, so that they may be stored, and only the answer was lost. */
      readonly whole: boolean;
    };

/**
 * Streams the source to the upload URL: one PUT, its length, and no other header that would need a signature.
 *
 * @param progress is told the bytes sent so far
 * @throws {CommandError} when the source cannot be read, or was changed meanwhile; then nothing is stored
 */
export async function putSource(
  url: URL,
  source: Source,
  progress: (sent: number) => void,
): Promise<PutOutcome> {
  const hash = createHash('md5');
  const request = openRequest(url, { method: 'PUT', headers: putHeaders(source.size) });
  const answered = answerOf(request);
  const sent = { whole: false };
  request.once('finish', () => {
    sent.whole = true;
  });
  try {
    await permission(request, answered, source.size);
    await sendBody(request, source, hash, answered, progress);
    return { answer: await answered, md5: hash.digest('hex') };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { whole } = sent;
    if (whole || isTransient(error)) return { interrupted: systemCode(error) ?? messageOf(error), whole };
    throw new CommandError(`The storage at ${url.host} cannot be reached: ${reasonOf(error)}.`);
  } finally {
    request.destroy();
  }
}

function putHeaders(size: number): Record<string, string> {
  return { 'content-length': String(size), ...(size >= askFirstBytes && { expect: '100-continue' }) };
}

function answerOf(request: ClientRequest): Promise<Answer> {
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject);
    request.setTimeout(idleMilliseconds, () => request.destroy(timedOut()));
    request.once('response', (response) => readAnswer(response).then(resolve, reject));
  });
  // Whoever awaits it sees the failure; until then it is nobody's.
  answered.catch(() => undefined);
  return answered;
}

/** Waits until the storage wants the bytes, has answered without them, or says nothing. */
async function permission(request: ClientRequest, answered: Promise<Answer>, size: number): Promise<void> {
  if (size < askFirstBytes) return;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<void>((resolve) => {
    request.once('socket', (socket) => {
      const wait = () => {
        timer = setTimeout(resolve, continueMilliseconds);
      };
      if (socket.connecting) socket.once('connect', wait);
      else wait();
    });
  });
  const wanted = new Promise<void>((resolve) => request.once('continue', resolve));
  try {
    await Promise.race([wanted, silence, answered]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendBody(
  request: ClientRequest,
  source: Source,
  hash: Hash,
  answered: Promise<Answer>,
  progress: (sent: number) => void,
): Promise<void> {
  const state = { over: false };
  const over = answered.then(
    () => markOver(state),
    () => markOver(state),
  );
  // One buffer is being sent while the other is filled.
  const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  let sending: Promise<void> = Promise.resolve();
  let sent = 0;
  for (let position = 0, turn = 0; position < source.size; position += chunkBytes, turn += 1) {
    const chunk = buffers[turn % 2 === 0 ? 0 : 1].subarray(0, Math.min(chunkBytes, source.size - position));
    await source.read(chunk, position);
    hash.update(chunk);
    await Promise.race([sending, over]);
    if (state.over) return;
    progress(sent);
    // What is missing when the last bytes are held back is never stored.
    if (position + chunk.length === source.size) await source.verifyUnchanged();
    sending = write(request, chunk);
    sent += chunk.length;
  }
  await Promise.race([sending, over]);
  if (state.over) return;
  if (source.size === 0) await source.verifyUnchanged();
  progress(sent);
  request.end();
}

function markOver(state: { over: boolean }): void {
  state.over = true;
}

function write(request: ClientRequest, chunk: Buffer): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    request.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
  written.catch(() => undefined);
  return written;
}
