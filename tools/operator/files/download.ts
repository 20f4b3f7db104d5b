import { Readable } from 'node:stream';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import type { Content } from '../../../storage/file.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf, OperationError, systemCode } from '../errors.ts';
import { quoted } from '../text.ts';
import { getFile } from './file.ts';

/** Current content of a file, opened for reading. */
export type OpenContent = Awaited<ReturnType<typeof openContent>>;

/**
 * Opens the current content of a file. The last bytes are sent only after the size and the checksum of all
 * bytes are verified. If one differs, reading fails before the end, so the reader cannot mistake the
 * content for complete.
 *
 * @throws {OperationError} when there is no such file, it has no content, or the storage rejects the download
 */
export async function openContent(deployment: Deployment, fileId: string) {
  const { name, content } = await getFile(deployment, fileId);
  if (content === undefined) {
    throw new OperationError(`The file ${quoted(fileId)} has no content yet: no upload has completed.`);
  }
  const s3 = await s3Client(deployment);
  const { Body, ContentType } = await s3.getObject({
    Bucket: deployment.outputs.BucketName,
    Key: content.key,
    VersionId: content.version_id,
  });
  if (!(Body instanceof Readable)) {
    throw new OperationError('S3 responded without the content. Try again.');
  }
  return { name, content, contentType: ContentType, body: verified(Body, content) };
}

async function* verified(body: AsyncIterable<Uint8Array>, content: Content): AsyncGenerator<Uint8Array> {
  const crc = new Crc64Nvme();
  let size = 0;
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of body) {
      crc.update(chunk);
      size += chunk.length;
      if (held !== undefined) {
        yield held;
      }
      held = chunk;
    }
  } catch (error) {
    // The S3 client closes a connection after two minutes without data.
    throw failure(
      `The connection broke after ${size} of ${content.size} bytes: ${systemCode(error) ?? messageOf(error)}.`,
    );
  }
  const crc64nvme = Buffer.from(await crc.digest()).toString('base64');
  verify(content, size, crc64nvme);
  if (held !== undefined) {
    yield held;
  }
}

/** Content that was recorded without a checksum is verified by its size. */
function verify(content: Content, size: number, crc64nvme: string): void {
  const { checksum_crc64nvme: recorded = crc64nvme } = content;
  if (size !== content.size) {
    throw failure(`Only ${size} of ${content.size} bytes arrived.`);
  }
  if (crc64nvme !== recorded) {
    throw failure(
      `The bytes that arrived have the checksum ${crc64nvme} (CRC-64/NVME), but ${recorded} was recorded at the upload. If the download fails again, the stored bytes are damaged: upload the file again.`,
    );
  }
}

function failure(what: string): OperationError {
  return new OperationError(`${what} Do not use the received bytes. Try again.`);
}
