import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxUploadBytes } from '../../contract/limits.ts';
import type { StreamSource } from '../../packages/client/index.ts';
import { reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';

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
export async function openStandardInput(
  stream: StandardInput,
  allowEmpty: boolean,
): Promise<StreamSource & { close(): Promise<void> }> {
  const path = join(tmpdir(), `file-sync-upload-${randomUUID()}`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    await writeFile(handle, readable(stream));
    const { size } = await handle.stat();
    if (size === 0 && !allowEmpty) {
      throw new CommandError(
        'Standard input was empty, so nothing was sent: the command before the pipe may have failed. Give --allow-empty to upload it all the same.',
      );
    }
    const copy = handle;
    const options = { start: 0, autoClose: false, highWaterMark: 1024 * 1024 };
    return { size, open: () => copy.createReadStream(options), close: () => copy.close() };
  } catch (error) {
    await handle?.close();
    if (error instanceof CommandError) {
      throw error;
    }
    throw new CommandError(
      `Cannot store standard input in ${quoted(tmpdir())}: ${reasonOf(error)}. Nothing was sent: set TMPDIR to a folder with enough space.`,
    );
  }
}

/** Ends after the limit of one PUT, so that an endless stream does not fill the disk: the client rejects it. */
async function* readable(stream: StandardInput): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of stream) {
      yield chunk;
      size += chunk.length;
      if (size > maxUploadBytes) {
        return;
      }
    }
  } catch (error) {
    throw new CommandError(`Cannot read standard input: ${reasonOf(error)}. Nothing was sent.`);
  }
}
