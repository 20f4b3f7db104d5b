import { resolve } from 'node:path';
import type { Content } from '../../../storage/file.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { getContent, type Received, receiveContent } from '../../operator/download/receive-content.ts';
import { type ByteStream, writeBytes } from '../../terminal/output.ts';
import type { Progress } from '../../terminal/progress.ts';
import { checkOutputPath, failWrite, writeThroughTemporaryFile } from './output-file.ts';

interface DownloadOptions {
  readonly fileId: string;
  /** Makes the progress display when the size in bytes is known. */
  readonly progress: (total: number) => Progress;
  /** The download fails when no data arrives for this long. */
  readonly idleMilliseconds: number;
}

interface FileDownloadOptions extends DownloadOptions {
  /** Path of the file to write. */
  readonly output: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/** The result of a download, as `--json` prints it. */
export interface Download {
  readonly file_id: string;
  readonly upload_id: string;
  /** Path of the written file, or `-` for standard output. */
  readonly output: string;
  readonly size: number;
  readonly etag: string;
  /** CRC-64/NVME, in base64. Absent where the upload was recorded without it. */
  readonly checksum_crc64nvme?: string;
  /** As the client sent it with the upload. */
  readonly content_type?: string;
}

/**
 * Downloads the current content of a file. The output file appears only after its size, ETag and checksum
 * are verified.
 *
 * @throws {CommandError} when there is no content, the path cannot be used, or the bytes differ from the stored ones
 */
export async function downloadFile(deployment: Deployment, options: FileDownloadOptions): Promise<Download> {
  const output = resolve(options.output);
  await checkOutputPath(output, options.force);
  const { content } = await getContent(deployment, options.fileId);
  const received = await writeThroughTemporaryFile(output, options.force, (handle) =>
    receiveContent(deployment, content, {
      sink: {
        write: (chunk) => handle.writeFile(chunk).catch(failWrite(output)),
        afterFailure: () => 'Nothing was written',
      },
      progress: options.progress(content.size),
      idleMilliseconds: options.idleMilliseconds,
    }),
  );
  return toDownload(options.fileId, output, content, received);
}

/**
 * Streams the current content of a file to standard output. The bytes can be verified only at the end, when they are
 * already written.
 *
 * @throws {CommandError} when there is no content, or the bytes differ from the stored ones
 */
export async function streamFile(
  deployment: Deployment,
  stdout: ByteStream,
  options: DownloadOptions,
): Promise<Download> {
  const { content } = await getContent(deployment, options.fileId);
  const received = await receiveContent(deployment, content, {
    sink: {
      write: (chunk) => writeBytes(stdout, chunk),
      afterFailure: (written) =>
        written === 0 ? 'Nothing was written' : 'The bytes already written are not to be trusted',
    },
    progress: options.progress(content.size),
    idleMilliseconds: options.idleMilliseconds,
  });
  return toDownload(options.fileId, '-', content, received);
}

function toDownload(fileId: string, output: string, content: Content, received: Received): Download {
  const { upload_id, size, etag, checksum_crc64nvme } = content;
  const { contentType } = received;
  return {
    file_id: fileId,
    upload_id,
    output,
    size,
    etag,
    ...(checksum_crc64nvme === undefined ? {} : { checksum_crc64nvme }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
  };
}
