import { createHash, randomUUID } from 'node:crypto';
import { type Stats, unlinkSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { CommandError, messageOf, reasonOf, systemCode } from '../errors.ts';
import type { Progress } from '../progress.ts';
import { quoted } from '../text.ts';
import { s3Client } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import type { Content } from './file-item.ts';
import { getFile } from './files.ts';

export interface DownloadOptions {
  readonly fileId: string;
  /** Path of the file to write. */
  readonly output: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  /** Makes the display once the size in bytes is known. */
  readonly progress: (total: number) => Progress;
  /** A transfer in which nothing arrives for so long is given up. */
  readonly idleMilliseconds: number;
}

export interface Download {
  readonly file_id: string;
  readonly upload_id: string;
  readonly output: string;
  readonly size: number;
  readonly etag: string;
}

/**
 * Writes the current content of a file to a path. The path appears only when size and ETag have been verified.
 *
 * @throws {CommandError} when there is no content, the path is taken, or what arrived is not what was stored
 */
export async function downloadFile(deployment: Deployment, options: DownloadOptions): Promise<Download> {
  const output = resolve(options.output);
  await refuseUnusable(output, options.force);
  const { content } = await getFile(deployment, options.fileId);
  if (content === undefined) {
    throw new CommandError(`The file ${quoted(options.fileId)} has no content yet: no upload is complete.`);
  }
  await throughTemporaryFile(output, options.force, async (handle) => {
    const progress = options.progress(content.size);
    try {
      verify(await receive(deployment, content, handle, { ...options, output, progress }), content);
    } finally {
      progress.finish();
    }
  });
  const { upload_id, size, etag } = content;
  return { file_id: options.fileId, upload_id, output, size, etag };
}

/**
 * Only a regular file is replaced: behind any other name there is something that was made on purpose. Links are not
 * followed, since the last step would put the file in place of the link.
 */
async function refuseUnusable(output: string, force: boolean): Promise<void> {
  const present = await unlessAbsent(output, lstat(output));
  if (present !== undefined) refuseTaken(output, present, force);
  const folder = dirname(output);
  if (!(await unlessAbsent(folder, stat(folder)))?.isDirectory()) {
    throw new CommandError(`There is no folder ${quoted(folder)} to write to.`);
  }
}

function refuseTaken(output: string, present: Stats, force: boolean): void {
  if (present.isDirectory()) throw new CommandError(`${quoted(output)} is a folder: --output names a file.`);
  if (present.isSymbolicLink()) {
    throw new CommandError(
      `${quoted(output)} is a symbolic link, which is neither followed nor replaced. Name the file itself, or remove the link.`,
    );
  }
  if (!present.isFile()) {
    throw new CommandError(
      `${quoted(output)} is a device, a pipe or a socket, which is not replaced. Name a file, or a path where there is none.`,
    );
  }
  if (!force) throw exists(output);
}

function exists(output: string): CommandError {
  return new CommandError(`${quoted(output)} exists already. Add --force to replace it.`);
}

/** @returns undefined when there is nothing at the path */
async function unlessAbsent(path: string, looked: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CommandError(`Cannot look at ${quoted(path)}: ${reasonOf(error)}.`);
  }
}

interface Reception {
  /** Path of the file to write, for people. */
  readonly output: string;
  readonly progress: Progress;
  readonly idleMilliseconds: number;
}

interface Received {
  /** Bytes. */
  readonly size: number;
  /** MD5, lower-case hex. */
  readonly md5: string;
}

/**
 * Streams the content into the file.
 *
 * @throws {CommandError} when nothing came for too long, the connection broke, or the file cannot be written
 */
async function receive(
  deployment: Deployment,
  content: Content,
  handle: FileHandle,
  { output, progress, idleMilliseconds }: Reception,
): Promise<Received> {
  const limit = createIdleLimit(idleMilliseconds);
  const hash = createHash('md5');
  let size = 0;
  try {
    const body = await openContent(deployment, content, limit.signal);
    for await (const chunk of arriving(body, () => size, content)) {
      // How long a disk takes is no matter of the connection.
      limit.pause();
      hash.update(chunk);
      await handle.writeFile(chunk).catch(cannotWrite(output));
      size += chunk.length;
      progress.update(size);
      limit.resume();
    }
    return { size, md5: hash.digest('hex') };
  } catch (error) {
    throw limit.signal.aborted ? stalled(size, content, idleMilliseconds) : error;
  } finally {
    limit.pause();
  }
}

/** Aborts what its signal was given to, when nothing happens for so long between a resume and the next pause. */
function createIdleLimit(milliseconds: number) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, milliseconds);
  return {
    signal: controller.signal,
    pause: () => clearTimeout(timer),
    resume: () => {
      timer = setTimeout(abort, milliseconds);
    },
  };
}

/** The bytes as they come. Once they have begun to, a failure is one of the connection. */
async function* arriving(body: Readable, size: () => number, content: Content): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new CommandError(
      `${amount(size(), content)} arrived, and then the connection broke (${systemCode(error) ?? messageOf(error)}). Nothing was written: try again.`,
    );
  }
}

function stalled(size: number, content: Content, idleMilliseconds: number): CommandError {
  return new CommandError(
    `${amount(size, content)} arrived, and then nothing for ${idleMilliseconds / 1000} s. ` +
      'Nothing was written: look at the network, a proxy in between for one, and try again.',
  );
}

/** To the byte: near the end both numbers look the same in GiB. */
function amount(size: number, content: Content): string {
  return `${size} of ${content.size} bytes`;
}

function cannotWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(
      `Cannot write ${quoted(path)}: ${reasonOf(error)}. No part of it was kept: mend that, or name another path.`,
    );
  };
}

async function openContent(deployment: Deployment, content: Content, signal: AbortSignal): Promise<Readable> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  const { Body } = await s3.send(
    new GetObjectCommand({
      Bucket: deployment.outputs.BucketName,
      Key: content.key,
      VersionId: content.version_id,
    }),
    { abortSignal: signal },
  );
  if (!(Body instanceof Readable)) throw new CommandError('The storage answered without the content.');
  return addAbortSignal(signal, Body);
}

function verify(received: Received, content: Content): void {
  if (received.size !== content.size) {
    throw new CommandError(
      `${received.size} bytes arrived of ${content.size}. Nothing was written: try again.`,
    );
  }
  // A single PUT under SSE-S3 has the MD5 as its ETag: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
  if (/^[0-9a-f]{32}$/.test(content.etag) && received.md5 !== content.etag) {
    throw new CommandError(
      `The bytes that arrived have MD5 ${received.md5}, and the stored ones ${content.etag}. Nothing was written: try again.`,
    );
  }
}

/** Writes beside the output, so that the last step is within one file system, and cleans up on any way out. */
async function throughTemporaryFile(
  output: string,
  force: boolean,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(output), `.${basename(output).slice(0, 50)}.${randomUUID()}.partial`);
  const stopRemoving = removeAtEnd(temporary);
  try {
    const handle = await open(temporary, 'wx').catch(cannotWrite(output));
    try {
      await write(handle);
      await handle.sync().catch(cannotWrite(output));
    } finally {
      await handle.close();
    }
    await publish(temporary, output, force);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    stopRemoving();
  }
}

/**
 * No half file stays behind where the process ends: by Ctrl-C, by a closed output, or by an error that nobody expected.
 *
 * @returns what takes the handlers away again
 */
function removeAtEnd(temporary: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    stop();
    removeNow(temporary);
    process.kill(process.pid, signal);
  };
  const remove = () => removeNow(temporary);
  const stop = () => {
    for (const signal of signals) process.off(signal, end);
    process.off('exit', remove);
  };
  for (const signal of signals) process.once(signal, end);
  process.once('exit', remove);
  return stop;
}

function removeNow(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there yet, or is published already.
  }
}

/** A link is refused where a file has appeared meanwhile; a rename would replace it. */
async function publish(temporary: string, output: string, force: boolean): Promise<void> {
  if (force) {
    await replace(temporary, output, force);
    return;
  }
  try {
    await link(temporary, output);
    await unlink(temporary);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw exists(output);
    // Some file systems have no links (FAT, some network mounts).
    await replace(temporary, output, force);
  }
}

/** A download may take an hour, so what is in its place is looked at once more. */
async function replace(temporary: string, output: string, force: boolean): Promise<void> {
  await refuseUnusable(output, force);
  await rename(temporary, output).catch(cannotWrite(output));
}
