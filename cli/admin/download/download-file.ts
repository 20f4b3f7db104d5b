import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import type { Content } from '../../../storage/file.ts';
import { s3Client } from '../../deployment/aws-clients.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, messageOf, systemCode } from '../../errors.ts';
import { getFile } from '../../operations/files.ts';
import type { Progress } from '../../terminal/progress.ts';
import { quoted } from '../../text.ts';
import { checkOutputPath, failWrite, writeThroughTemporaryFile } from './output-file.ts';

interface DownloadOptions {
  readonly fileId: string;
  /** Path of the file to write. */
  readonly output: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  /** Makes the progress display when the size in bytes is known. */
  readonly progress: (total: number) => Progress;
  /** The download fails when no data arrives for this long. */
  readonly idleMilliseconds: number;
}

/** The result of a download, as `--json` prints it. */
export interface Download {
  readonly file_id: string;
  readonly upload_id: string;
  readonly output: string;
  readonly size: number;
  readonly etag: string;
}

/**
 * Downloads the current content of a file. The output file appears only after its size and ETag are verified.
 *
 * @throws {CommandError} when there is no content, the path cannot be used, or the bytes differ from the stored ones
 */
export async function downloadFile(deployment: Deployment, options: DownloadOptions): Promise<Download> {
  const output = resolve(options.output);
  await checkOutputPath(output, options.force);
  const { content } = await getFile(deployment, options.fileId);
  if (content === undefined) {
    throw new CommandError(`The file ${quoted(options.fileId)} has no content yet: no upload has completed.`);
  }
  await writeThroughTemporaryFile(output, options.force, async (handle) => {
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

interface ReceiveOptions {
  /** Path of the output file, for messages. */
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
 * @throws {CommandError} when no data arrived for too long, the connection broke, or the file cannot be written
 */
async function receive(
  deployment: Deployment,
  content: Content,
  handle: FileHandle,
  { output, progress, idleMilliseconds }: ReceiveOptions,
): Promise<Received> {
  const limit = createIdleLimit(idleMilliseconds);
  const hash = createHash('md5');
  let size = 0;
  try {
    const body = await openContent(deployment, content, limit.signal);
    for await (const chunk of readBody(body, () => size, content)) {
      // The idle limit is for the connection, not for the disk.
      limit.pause();
      hash.update(chunk);
      await handle.writeFile(chunk).catch(failWrite(output));
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

/** A timer that aborts its signal when this time passes between a resume and the next pause. */
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

/** Yields the body. A failure after it has started is one of the connection. */
async function* readBody(body: Readable, size: () => number, content: Content): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new CommandError(
      `The connection broke after ${amount(size(), content)} (${systemCode(error) ?? messageOf(error)}). Nothing was written: try again.`,
    );
  }
}

function stalled(size: number, content: Content, idleMilliseconds: number): CommandError {
  return new CommandError(
    `No data arrived for ${idleMilliseconds / 1000} s after ${amount(size, content)}. ` +
      'Nothing was written: check the network and any proxy, and try again.',
  );
}

/** Exact numbers: near the end both would look the same in GiB. */
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
  if (!(Body instanceof Readable)) {
    throw new CommandError('The storage answered without the content. Nothing was written: try again.');
  }
  return addAbortSignal(signal, Body);
}

function verify(received: Received, content: Content): void {
  if (received.size !== content.size) {
    throw new CommandError(
      `Only ${received.size} of ${content.size} bytes arrived. Nothing was written: try again.`,
    );
  }
  // The ETag of a single PUT with SSE-S3 is the MD5: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
  if (/^[0-9a-f]{32}$/.test(content.etag) && received.md5 !== content.etag) {
    throw new CommandError(
      `The bytes that arrived have MD5 ${received.md5}, but the stored ones have ${content.etag}. Nothing was written: try again.`,
    );
  }
}
