import type { Blob } from 'node:buffer';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileSyncError, reasonOf } from './errors.ts';
import { formatBytes, quoted } from './text.ts';

/**
 * Bytes to upload. Each kind can be read again, because a retry sends all bytes again:
 *
 * - the path of a regular file,
 * - an open file, which stays open,
 * - a Buffer or another Uint8Array, which must not change during the upload,
 * - a Blob,
 * - an object that opens a new stream for each attempt.
 */
export type UploadSource = string | FileHandle | Uint8Array | Blob | StreamSource;

/** Opens a new stream for each attempt. A PUT requires its length first, so the size must be known. */
export interface StreamSource {
  /** Size in bytes. A stream of another size fails, and nothing is stored. */
  readonly size: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** Largest body of one PUT to S3: 5 GiB. */
const maxBytes = 5 * 1024 ** 3;

/** A source, opened for one upload. */
export interface OpenSource {
  readonly size: number;
  /** Starts to read at the first byte. */
  readonly start: () => Reader;
  readonly close: () => Promise<void>;
}

/** Reads the bytes in order. */
export interface Reader {
  /**
   * Reads into the start of the buffer.
   *
   * @returns number of bytes, 0 at the end
   * @throws {FileSyncError} before the last bytes, if the source has changed
   */
  readonly read: (buffer: Buffer) => Promise<number>;
  readonly close: () => void;
}

/** @throws {FileSyncError} if the source is not readable, or exceeds the limit of one PUT */
export async function openSource(source: UploadSource): Promise<OpenSource> {
  if (typeof source === 'string') {
    return openPath(source);
  }
  if ('fd' in source) {
    return fileSource('The open file', source, async () => undefined);
  }
  if (source instanceof Uint8Array) {
    return streamSource(source.length, async function* () {
      yield source;
    });
  }
  // The types of Node.js lack the iterator of this stream.
  return 'open' in source
    ? streamSource(source.size, source.open)
    : streamSource(source.size, () => source.stream() as AsyncIterable<Uint8Array>);
}

async function openPath(path: string): Promise<OpenSource> {
  const name = quoted(basename(path));
  try {
    // Opening a named pipe would wait for a writer.
    rejectIrregular(quoted(path), await stat(path));
    const handle = await open(path, 'r');
    return await fileSource(name, handle, () => handle.close()).catch(async (error) => {
      await handle.close();
      throw error;
    });
  } catch (error) {
    throw unreadable(quoted(path), error);
  }
}

function rejectIrregular(name: string, facts: Stats): void {
  const kind = kindOf(facts);
  if (kind !== undefined) {
    throw new FileSyncError(
      'not_a_file',
      `${name} is ${kind}, not a regular file. Nothing was sent: upload a copy of its content, as a file.`,
    );
  }
}

function kindOf(facts: Stats): string | undefined {
  if (facts.isFile()) {
    return undefined;
  }
  if (facts.isDirectory()) {
    return 'a folder';
  }
  // A retry would read it again.
  return facts.isFIFO() || facts.isSocket() ? 'a pipe, which can be read only once' : 'a device';
}

function unreadable(name: string, error: unknown): FileSyncError {
  return error instanceof FileSyncError
    ? error
    : new FileSyncError('source_unreadable', `Cannot read ${name}: ${reasonOf(error)}.`, { cause: error });
}

async function fileSource(name: string, handle: FileHandle, close: () => Promise<void>): Promise<OpenSource> {
  const opened = await handle.stat({ bigint: true });
  const size = Number(opened.size);
  rejectTooLarge(name, size);
  const hasChanged = async () => {
    const now = await handle.stat({ bigint: true });
    return now.size !== opened.size || now.mtimeNs !== opened.mtimeNs;
  };
  const start = () => {
    let position = 0;
    const read = async (buffer: Buffer) => {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      position += bytesRead;
      return bytesRead;
    };
    return exactly({ name, size, read, hasChanged });
  };
  return { size, start, close };
}

async function streamSource(size: number, open: StreamSource['open']): Promise<OpenSource> {
  const name = 'The source';
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new FileSyncError('invalid_argument', 'The size of a source must be its number of bytes.');
  }
  rejectTooLarge(name, size);
  const start = () => {
    let rest: Uint8Array = Buffer.alloc(0);
    let iterator: AsyncIterator<Uint8Array> | undefined;
    const read = async (buffer: Buffer) => {
      iterator ??= open()[Symbol.asyncIterator]();
      while (rest.length === 0) {
        const next = await iterator.next();
        if (next.done) {
          return 0;
        }
        rest = next.value;
      }
      const part = rest.subarray(0, buffer.length);
      buffer.set(part);
      rest = rest.subarray(part.length);
      return part.length;
    };
    const close = () => void iterator?.return?.().catch(() => undefined);
    return { ...exactly({ name, size, read, hasChanged: async () => false }), close };
  };
  return { size, start, close: async () => undefined };
}

/** The message contains exact numbers: in GiB, one excess byte would not be visible. */
function rejectTooLarge(name: string, size: number): void {
  if (size > maxBytes) {
    throw new FileSyncError(
      'source_too_large',
      `${name} has ${size} bytes, but one upload can have at most ${formatBytes(maxBytes)} (${maxBytes} bytes). Nothing was sent. Compress the file, or upload its parts into several files.`,
    );
  }
}

interface Reading {
  readonly name: string;
  readonly size: number;
  readonly read: Reader['read'];
  readonly hasChanged: () => Promise<boolean>;
}

/** Rejects a source that has another number of bytes than its size, before the last bytes are sent. */
function exactly({ name, size, read, hasChanged }: Reading): Reader {
  let left = size;
  const readNext = async (buffer: Buffer) => {
    const length = await read(buffer);
    left -= length;
    const isShort = length === 0 && left > 0;
    // S3 stores the object only after the last byte, so the check comes before it.
    const isLast = length > 0 && left === 0;
    if (isShort || left < 0 || (isLast && ((await read(Buffer.alloc(1))) > 0 || (await hasChanged())))) {
      throw new FileSyncError(
        'source_changed',
        `${name} was changed while it was read. The upload was stopped and nothing was stored: try again when the file is complete.`,
      );
    }
    return length;
  };
  return {
    // Caught here: an ETIMEDOUT of a network drive is not one of the storage.
    read: (buffer) =>
      readNext(buffer).catch((error: unknown) => {
        throw unreadable(name, error);
      }),
    close: () => undefined,
  };
}
