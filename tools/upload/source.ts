import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxUploadBytes } from '../../contract/limits.ts';
import { reasonOf } from '../operator/errors.ts';
import { formatBytes, quoted } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';

/** Bytes to read at a time, for files of any size. */
const chunkBytes = 512 * 1024;

/** Bytes to upload. They can be read again for each attempt. */
export interface Source {
  /** Name for people. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /**
   * Reads all bytes.
   *
   * @throws {CommandError} before the last chunk, if the file has changed since it was opened
   */
  readonly read: () => AsyncIterable<Buffer>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a file for upload.
 *
 * @throws {CommandError} if it is not a readable file, or exceeds the limit of one PUT
 */
export async function openFile(path: string): Promise<Source> {
  try {
    await checkPath(path);
    return await createSource(basename(path), await open(path, 'r'));
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** Checks the path before it is opened: opening a named pipe would wait for a writer. */
async function checkPath(path: string): Promise<void> {
  const facts = await stat(path);
  if (!facts.isFile()) {
    throw new CommandError(
      `${quoted(path)} is a folder or a device. Give the path of a file, or pipe the content into this command, with - as the path.`,
    );
  }
  rejectTooLarge(path, facts.size);
}

function cannotRead(path: string, error: unknown): unknown {
  if (error instanceof CommandError) {
    return error;
  }
  return new CommandError(`Cannot read ${quoted(path)}: ${reasonOf(error)}.`);
}

/** The message contains exact numbers: in GiB, one excess byte would not be visible. */
export function rejectTooLarge(name: string, size: number, amount = `${size} bytes`): void {
  if (size <= maxUploadBytes) {
    return;
  }
  throw new CommandError(
    `${quoted(name)} has ${amount}, but one upload can have at most ${formatBytes(maxUploadBytes)} (${maxUploadBytes} bytes). Nothing was sent. Compress the file, or upload its parts into several files.`,
    exitCodes.tooLarge,
  );
}

/** Creates a source from an open file. */
export async function createSource(name: string, handle: FileHandle): Promise<Source> {
  const opened = await handle.stat({ bigint: true });
  const size = Number(opened.size);
  const hasChanged = async () => {
    const now = await handle.stat({ bigint: true });
    return now.size !== opened.size || now.mtimeNs !== opened.mtimeNs;
  };
  return {
    name,
    size,
    read: async function* () {
      let given = 0;
      for await (const chunk of readChunks(name, handle)) {
        given += chunk.length;
        // S3 stores the object only after the last byte, so the check comes before the last chunk.
        if (given >= size && (await hasChanged())) {
          throw changed(name);
        }
        yield chunk;
      }
      if (given !== size) {
        throw changed(name);
      }
    },
    close: () => handle.close(),
  };
}

async function* readChunks(name: string, handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle
      .read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position)
      // Caught here, because a caller cannot distinguish an ETIMEDOUT of a network drive from an ETIMEDOUT of
      // the storage.
      .catch((error: unknown) => {
        throw cannotRead(name, error);
      });
    if (bytesRead === 0) {
      return;
    }
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function changed(name: string): CommandError {
  return new CommandError(
    `${quoted(name)} was changed while it was read. The upload was stopped and nothing was stored: try again when the file is complete.`,
  );
}
