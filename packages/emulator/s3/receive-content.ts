import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import { discard } from './object-store.ts';

/** Bytes that are gathered before they are written: it takes few writes and little memory. */
const batchBytes = 1024 * 1024;

/** After this many bytes, the system is asked to write them to the disk. */
const syncDistanceBytes = 64 * 1024 * 1024;

/** Digests of content besides its MD5. Only those are computed that a request needs. */
export type ExtraDigest = 'sha256' | 'crc32' | 'crc64nvme';

export interface ReceivedContent {
  readonly path: string;
  readonly size: number;
  readonly md5: Buffer;
  readonly extra: Readonly<Partial<Record<ExtraDigest, Buffer>>>;
}

/**
 * Streams content to a file with constant memory, and hashes it on the way. The sender has to wait while the disk is
 * busy. When this returns, the content is durable. When the stream breaks off, nothing is left.
 */
export async function receiveContent(
  stream: AsyncIterable<Buffer>,
  path: string,
  wanted: readonly ExtraDigest[],
): Promise<ReceivedContent> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const digests = createDigests(wanted);
    const size = await copy(stream, handle, digests.update);
    await handle.sync();
    await handle.close();
    return { path, size, ...(await digests.finish()) };
  } catch (error) {
    // Waits for a write that is still under way.
    await handle.close().catch(() => undefined);
    await discard(path);
    throw error;
  }
}

/** Receives and hashes bytes while the batch before is written. At most one batch is being written. */
async function copy(
  stream: AsyncIterable<Buffer>,
  handle: FileHandle,
  update: (chunk: Buffer) => void,
): Promise<number> {
  const writer = createWriter(handle);
  let [batch, batched]: [Buffer[], number] = [[], 0];
  for await (const chunk of stream) {
    update(chunk);
    batch.push(chunk);
    batched += chunk.length;
    if (batched < batchBytes) {
      continue;
    }
    await writer.write(batch, batched);
    [batch, batched] = [[], 0];
  }
  if (batched > 0) {
    await writer.write(batch, batched);
  }
  return writer.end();
}

function createWriter(handle: FileHandle) {
  let size = 0;
  let synced = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> | undefined;
  // Without this the disk would be idle now, and the sender would wait for it at the end.
  const syncEarly = () => {
    if (syncing !== undefined || size - synced < syncDistanceBytes) {
      return;
    }
    synced = size;
    syncing = handle.datasync().finally(() => {
      syncing = undefined;
    });
    syncing.catch(() => undefined);
  };
  return {
    /** Takes a batch when the one before is written. */
    write: async (batch: readonly Buffer[], length: number): Promise<void> => {
      await writing;
      syncEarly();
      writing = writeAll(handle, batch, length);
      // The next wait throws a failure. Until then it must not count as unhandled.
      writing.catch(() => undefined);
      size += length;
    },
    /** Waits for what is under way. @returns how many bytes were written */
    end: async (): Promise<number> => {
      await writing;
      await syncing;
      return size;
    },
  };
}

async function writeAll(handle: FileHandle, batch: readonly Buffer[], length: number): Promise<void> {
  const { bytesWritten } = await handle.writev([...batch]);
  // The system may write less than it was given, as when the disk is nearly full.
  if (bytesWritten === length) {
    return;
  }
  const rest = Buffer.concat([...batch]).subarray(bytesWritten);
  await handle.appendFile(rest);
}

function createDigests(wanted: readonly ExtraDigest[]) {
  const md5 = createHash('md5');
  const others = wanted.map((name) => [name, digestMakers[name]()] as const);
  return {
    update: (chunk: Buffer) => {
      md5.update(chunk);
      for (const [, digest] of others) {
        digest.update(chunk);
      }
    },
    finish: async () => {
      const extra: Partial<Record<ExtraDigest, Buffer>> = {};
      for (const [name, digest] of others) {
        extra[name] = Buffer.from(await digest.digest());
      }
      return { md5: md5.digest(), extra };
    },
  };
}

interface Digest {
  readonly update: (chunk: Buffer) => unknown;
  readonly digest: () => Uint8Array | Promise<Uint8Array>;
}

const digestMakers: Readonly<Record<ExtraDigest, () => Digest>> = {
  sha256: () => createHash('sha256'),
  crc32: createCrc32,
  crc64nvme: () => new Crc64Nvme(),
};

function createCrc32(): Digest {
  let crc = 0;
  return {
    update: (chunk) => {
      crc = crc32(chunk, crc);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc);
      return bytes;
    },
  };
}
