import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxUploadBytes } from '../../contract/limits.ts';
import type { StreamSource } from '../../packages/client/index.ts';
import { reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';

/** Content of standard input in an open temporary file. */
interface Copy extends StreamSource {
  readonly close: () => Promise<void>;
}

/** A stream to upload, such as `process.stdin`. */
export type StandardInput = AsyncIterable<Uint8Array>;

/**
 * Reads standard input to its end into a temporary file, because a PUT requires its length first. The file is
 * unlinked after it is opened, so it never outlives this process.
 *
 * @param allowEmpty false to reject empty input. The command before the pipe may have failed, and Node.js
 * reads a folder, the null device and a closed descriptor as empty
 * @throws {CommandError} if the input is empty or cannot be read
 */
export async function openStandardInput(stream: StandardInput, allowEmpty: boolean): Promise<Copy> {
  const handle = await openTemporary().catch(failTemporaryWrite);
  try {
    const size = await copy(stream, handle);
    if (size === 0 && !allowEmpty) {
      throw new CommandError(
        'Standard input was empty, so nothing was sent: the command before the pipe may have failed. Give --allow-empty to upload it all the same.',
      );
    }
    const options = { start: 0, autoClose: false, highWaterMark: 1024 * 1024 };
    return { size, open: () => handle.createReadStream(options), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `file-sync-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

/** @returns number of bytes */
async function copy(stream: AsyncIterable<Uint8Array>, handle: FileHandle): Promise<number> {
  let size = 0;
  for await (const chunk of readable(stream)) {
    size += chunk.length;
    await handle.writeFile(chunk).catch(failTemporaryWrite);
    if (size > maxUploadBytes) {
      // The client rejects this size, so an endless stream does not fill the disk.
      break;
    }
  }
  return size;
}

/** Reports read errors separately from errors of the temporary file. */
async function* readable(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new CommandError(`Cannot read standard input: ${reasonOf(error)}. Nothing was sent.`);
  }
}

function failTemporaryWrite(error: unknown): never {
  throw new CommandError(
    `Cannot store standard input in ${quoted(tmpdir())}: ${reasonOf(error)}. Nothing was sent: set TMPDIR to a folder with enough space.`,
  );
}
