import { createHash, randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { CommandError, reasonOf, systemCode } from '../errors.ts';
import type { Progress } from '../progress.ts';
import { formatBytes, quoted } from '../text.ts';
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
      const md5 = await writeBody(await openContent(deployment, content), handle, progress);
      verify(md5, content);
    } finally {
      progress.finish();
    }
  });
  const { upload_id, size, etag } = content;
  return { file_id: options.fileId, upload_id, output, size, etag };
}

async function refuseUnusable(output: string, force: boolean): Promise<void> {
  const target = await statOrUndefined(output);
  if (target?.isDirectory()) throw new CommandError(`${quoted(output)} is a folder: --output names a file.`);
  if (target !== undefined && !force) throw exists(output);
  if (!(await statOrUndefined(dirname(output)))?.isDirectory()) {
    throw new CommandError(`There is no folder ${quoted(dirname(output))} to write to.`);
  }
}

function exists(output: string): CommandError {
  return new CommandError(`${quoted(output)} exists already. Add --force to replace it.`);
}

async function statOrUndefined(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CommandError(`Cannot look at ${quoted(path)}: ${reasonOf(error)}.`);
  }
}

async function openContent(deployment: Deployment, content: Content): Promise<Readable> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  const { Body } = await s3.send(
    new GetObjectCommand({
      Bucket: deployment.outputs.BucketName,
      Key: content.key,
      VersionId: content.version_id,
    }),
  );
  if (!(Body instanceof Readable)) throw new CommandError('The storage answered without the content.');
  return Body;
}

interface Received {
  readonly size: number;
  /** MD5, lower-case hex. */
  readonly md5: string;
}

async function writeBody(body: Readable, handle: FileHandle, progress: Progress): Promise<Received> {
  const hash = createHash('md5');
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    await handle.writeFile(chunk);
    size += chunk.length;
    progress.update(size);
  }
  return { size, md5: hash.digest('hex') };
}

function verify(received: Received, content: Content): void {
  if (received.size !== content.size) {
    throw new CommandError(
      `${formatBytes(received.size)} arrived of ${formatBytes(content.size)}. Nothing was written: try again.`,
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
  const temporary = join(dirname(output), `.${basename(output).slice(0, 200)}.${randomUUID()}.partial`);
  const cleanUp = removeOnInterrupt(temporary);
  const handle = await open(temporary, 'wx');
  try {
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(temporary, output, force);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    cleanUp();
  }
}

/** Ctrl-C leaves no half file behind. Returns what takes the handlers away again. */
function removeOnInterrupt(temporary: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    stop();
    try {
      unlinkSync(temporary);
    } catch {
      // It was not there yet, or is published already.
    }
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.once(signal, end);
  return stop;
}

/** A link is refused where a file has appeared meanwhile; a rename would replace it. */
async function publish(temporary: string, output: string, force: boolean): Promise<void> {
  if (force) {
    await rename(temporary, output);
    return;
  }
  try {
    await link(temporary, output);
    await unlink(temporary);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw exists(output);
    // Some file systems have no links (FAT, some network mounts).
    await rename(temporary, output);
  }
}
