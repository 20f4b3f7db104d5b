import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import type { Content } from '../../storage/file.ts';
import { CommandError, messageOf, systemCode } from '../errors.ts';
import type { Progress } from '../progress.ts';
import { quoted } from '../text.ts';
import { s3Client } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { getFile } from './files.ts';
import { cannotWrite, refuseUnusable, throughTemporaryFile } from './output-file.ts';

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
