import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import { removeFile } from '../shared/files.ts';

export interface ReceivedContent {
  readonly path: string;
  readonly size: number;
  readonly md5: Buffer;
  /** Undefined unless SHA-256 was requested. */
  readonly sha256: Buffer | undefined;
  /** Base64. */
  readonly crc64nvme: string;
}

/**
 * Streams content to a file with constant memory, and hashes it on the way. The sender waits while the disk
 * is busy. The content is durable when this returns. A broken stream leaves no file.
 *
 * @param isSigned true to compute SHA-256, which takes longer than everything else
 */
export async function receiveContent(
  stream: AsyncIterable<Buffer>,
  path: string,
  isSigned: boolean,
): Promise<ReceivedContent> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const md5 = createHash('md5');
    const sha256 = isSigned ? createHash('sha256') : undefined;
    const crc64nvme = new Crc64Nvme();
    let size = 0;
    for await (const chunk of stream) {
      for (const digest of [md5, sha256, crc64nvme]) {
        digest?.update(chunk);
      }
      size += chunk.length;
      // Each write ends before the file is closed. A stream could continue to write to a file descriptor that
      // meanwhile belongs to another file.
      await handle.writeFile(chunk);
    }
    await handle.sync();
    await handle.close();
    return {
      path,
      size,
      md5: md5.digest(),
      sha256: sha256?.digest(),
      crc64nvme: Buffer.from(await crc64nvme.digest()).toString('base64'),
    };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeFile(path);
    throw error;
  }
}
