import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import type { Content } from '../../../storage/file.ts';
import { createCrc64Nvme } from '../crc64-nvme.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf, OperationError, systemCode } from '../errors.ts';
import { getFile } from '../files.ts';
import { quoted } from '../text.ts';

/** A transfer that has stood still for a minute rarely continues. */
export const idleMilliseconds = 60_000;

/** The current content of a file, and the name of that file. */
export interface FileContent {
  readonly name: string;
  readonly content: Content;
}

/** @throws {OperationError} when there is no such file, or no upload for it was completed */
export async function getContent(deployment: Deployment, fileId: string): Promise<FileContent> {
  const { name, content } = await getFile(deployment, fileId);
  if (content === undefined) {
    throw new OperationError(
      'failed',
      `The file ${quoted(fileId)} has no content yet: no upload has completed.`,
    );
  }
  return { name, content };
}

/** Where the received bytes go. */
export interface Sink {
  readonly write: (chunk: Buffer) => Promise<void>;
  /** What a failure means for the bytes that were written so far. The beginning of a sentence. */
  readonly afterFailure: (written: number) => string;
}

/** Shows how far a transfer is. */
interface ReceiveProgress {
  /** Called with the number of bytes so far, for every chunk. */
  readonly update: (done: number) => void;
  /** Called once at the end, after a failure too. */
  readonly finish: () => void;
}

export interface ReceiveOptions {
  readonly sink: Sink;
  readonly progress: ReceiveProgress;
  /** The download fails when no data arrives for this long. */
  readonly idleMilliseconds: number;
}

/** What arrived, after its size, its ETag and its checksum were verified. */
export interface Received {
  /** As the client sent it with the upload. */
  readonly contentType: string | undefined;
}

/**
 * Streams the content into the sink, and verifies its size, its ETag and its checksum at the end. Content that was
 * recorded without a checksum is verified by the other two.
 *
 * @throws {OperationError} when no data arrived for too long, the connection broke, the sink failed, or the bytes differ
 * from the stored ones
 */
export async function receiveContent(
  deployment: Deployment,
  content: Content,
  { sink, progress, idleMilliseconds }: ReceiveOptions,
): Promise<Received> {
  const limit = createIdleLimit(idleMilliseconds);
  const hash = createHash('md5');
  const crc = content.checksum_crc64nvme === undefined ? undefined : createCrc64Nvme();
  let size = 0;
  try {
    const { body, contentType } = await openContent(deployment, content, limit.signal);
    for await (const chunk of readBody(body, () => size, content, sink)) {
      // The idle limit is for the connection, not for the disk or the reader of a pipe.
      limit.pause();
      hash.update(chunk);
      crc?.update(chunk);
      await sink.write(chunk);
      size += chunk.length;
      progress.update(size);
      limit.resume();
    }
    verify({ size, md5: hash.digest('hex'), crc64nvme: await crc?.digest() }, content, sink);
    return { contentType };
  } catch (error) {
    throw limit.signal.aborted ? stalled(size, content, sink, idleMilliseconds) : error;
  } finally {
    limit.pause();
    progress.finish();
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

async function openContent(deployment: Deployment, content: Content, signal: AbortSignal) {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const s3 = await s3Client(deployment);
  const { Body, ContentType } = await s3.send(
    new GetObjectCommand({
      Bucket: deployment.outputs.BucketName,
      Key: content.key,
      VersionId: content.version_id,
    }),
    { abortSignal: signal },
  );
  if (!(Body instanceof Readable)) {
    throw new OperationError(
      'failed',
      'The storage answered without the content. Nothing was written: try again.',
    );
  }
  return { body: addAbortSignal(signal, Body), contentType: ContentType };
}

/** Yields the body. A failure after it has started is one of the connection. */
async function* readBody(
  body: Readable,
  size: () => number,
  content: Content,
  sink: Sink,
): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new OperationError(
      'failed',
      `The connection broke after ${amount(size(), content)} (${systemCode(error) ?? messageOf(error)}). ` +
        `${sink.afterFailure(size())}: try again.`,
    );
  }
}

function stalled(size: number, content: Content, sink: Sink, idleMilliseconds: number): OperationError {
  return new OperationError(
    'failed',
    `No data arrived for ${idleMilliseconds / 1000} s after ${amount(size, content)}. ` +
      `${sink.afterFailure(size)}: check the network and any proxy, and try again.`,
  );
}

/** Exact numbers: near the end both would look the same in GiB. */
function amount(size: number, content: Content): string {
  return `${size} of ${content.size} bytes`;
}

interface Digests {
  readonly size: number;
  readonly md5: string;
  readonly crc64nvme: string | undefined;
}

function verify({ size, md5, crc64nvme }: Digests, content: Content, sink: Sink): void {
  if (size !== content.size) {
    throw new OperationError(
      'failed',
      `Only ${amount(size, content)} arrived. ${sink.afterFailure(size)}: try again.`,
    );
  }
  // The ETag of a single PUT with SSE-S3 is the MD5: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
  if (/^[0-9a-f]{32}$/.test(content.etag) && md5 !== content.etag) {
    throw new OperationError(
      'failed',
      `The bytes that arrived have MD5 ${md5}, but the stored ones have ${content.etag}. ` +
        `${sink.afterFailure(size)}: try again.`,
    );
  }
  if (crc64nvme !== content.checksum_crc64nvme) {
    throw new OperationError(
      'failed',
      `The bytes that arrived have the checksum ${crc64nvme} (CRC-64/NVME), but ${content.checksum_crc64nvme} was ` +
        `recorded when they were uploaded. ${sink.afterFailure(size)}: try again. If it fails again, the stored ` +
        'bytes are damaged: upload the file again.',
    );
  }
}
