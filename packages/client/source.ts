import { once } from 'node:events';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FileSyncError, reasonOf } from './errors.ts';
import { printable } from './text.ts';

/** Bytes to upload: the path of a regular file, or a stream. A retry reads them again. */
export type UploadSource = string | StreamSource;

/** Opens a new stream for each attempt. A PUT requires its length first, so the size must be known. */
export interface StreamSource {
  /** Size in bytes. A stream of another size fails, and nothing is stored. */
  readonly size: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** A source, opened for one upload. */
export interface OpenSource extends StreamSource {
  /** Name for messages. */
  readonly name: string;
  /** MD5 of a large file, which a worker computes. */
  readonly md5?: Promise<string> | undefined;
  /** Resolves to true if the bytes may differ from those at the opening. */
  readonly hasChanged?: () => Promise<boolean>;
  readonly close?: () => Promise<void>;
}

/** Largest body of one PUT to S3: 5 GiB. */
const maxBytes = 5 * 1024 ** 3;

/** Size from which a worker saves more time than its start takes. */
const workerBytes = 16 * 1024 * 1024;

const chunkBytes = 1024 * 1024;

/**
 * Unused bytes at the start of a buffer. Measured on an AMD EPYC: reads of cached files take a third of the
 * time if the address is not right behind a multiple of the page size, where large buffers start.
 */
const paddingBytes = 64;

/** @throws {FileSyncError} if the source is not readable, or exceeds the limit of one PUT */
export async function openSource(source: UploadSource): Promise<OpenSource> {
  if (typeof source === 'string') {
    return openFile(source).catch((error: unknown) => {
      throw unreadable(`"${printable(source)}"`, error);
    });
  }
  const { size } = source;
  const name = 'The source';
  rejectTooLarge(name, size);
  return { name, size, open: () => source.open() };
}

async function openFile(path: string): Promise<OpenSource> {
  // Not of the open file: to open a named pipe would wait for a writer.
  const facts = await stat(path, { bigint: true });
  if (!facts.isFile()) {
    const pipe = facts.isFIFO() ? 'a pipe, which can be read only once' : 'a device';
    throw new FileSyncError(
      'not_a_file',
      `"${printable(path)}" is ${facts.isDirectory() ? 'a folder' : pipe}, not a regular file. Nothing was sent: upload a copy of its content, as a file.`,
    );
  }
  const [name, size] = [`"${printable(basename(path))}"`, Number(facts.size)];
  rejectTooLarge(name, size);
  const handle = await open(path, 'r');
  const worker =
    size < workerBytes
      ? undefined
      : // Without the parent's options, because a loader of the program would slow down the start.
        new Worker(workerProgram, { eval: true, execArgv: [], env: {}, workerData: { fd: handle.fd, size } });
  const md5 = worker && once(worker, 'message').then(([digest]) => String(digest));
  // Prevents an unhandled rejection before the first await, which would end the process.
  md5?.catch(() => undefined);
  return {
    name,
    size,
    open: () => readFile(handle, size),
    md5,
    hasChanged: async () => {
      await md5;
      const now = await handle.stat({ bigint: true });
      return now.size !== facts.size || now.mtimeNs !== facts.mtimeNs || now.ino !== facts.ino;
    },
    close: async () => {
      await worker?.terminate();
      await handle.close();
    },
  };
}

function rejectTooLarge(name: string, size: number): void {
  if (size > maxBytes) {
    throw new FileSyncError(
      'source_too_large',
      `${name} has ${size} bytes, but one upload can have at most 5 GiB (${maxBytes} bytes). Nothing was sent. Compress the file, or upload its parts into several files.`,
    );
  }
}

function unreadable(name: string, error: unknown): FileSyncError {
  return error instanceof FileSyncError
    ? error
    : new FileSyncError('source_unreadable', `Cannot read ${name}: ${reasonOf(error)}.`, { cause: error });
}

/** Reads from the first byte, into two parts of a buffer in turn: the chunk before the last is still in use. */
async function* readFile(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const part = Math.min(chunkBytes, size + 1);
  const buffer = Buffer.allocUnsafeSlow(paddingBytes + 2 * part).subarray(paddingBytes);
  let position = 0;
  for (let start = 0; ; start = part - start) {
    const { bytesRead } = await handle.read(buffer, start, part, position);
    if (bytesRead === 0) {
      return;
    }
    position += bytesRead;
    yield buffer.subarray(start, start + bytesRead);
  }
}

/**
 * Reads the file a second time, in a worker, because MD5 is slower than the connection. A text needs no file of
 * its own: in the package, in a bundle and in TypeScript.
 */
const workerProgram = `
const { parentPort, workerData: { fd, size } } = require('node:worker_threads');
const { readSync } = require('node:fs');
const hash = require('node:crypto').createHash('md5');
const buffer = Buffer.allocUnsafeSlow(${paddingBytes + chunkBytes}).subarray(${paddingBytes});
for (let position = 0; position < size;) {
  const length = readSync(fd, buffer, 0, buffer.length, position);
  if (length === 0) break;
  hash.update(buffer.subarray(0, length));
  position += length;
}
parentPort.postMessage(hash.digest('hex'));`;

/**
 * Reads all chunks of a source. S3 stores the object only after the last byte, so the last chunk follows the
 * checks.
 *
 * @param onChunk called before each chunk, and with none before the first
 * @throws {FileSyncError} before the last chunk, if the source has changed or has another size
 */
export async function* readSource(
  source: OpenSource,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  let next: Uint8Array = new Uint8Array();
  let read = 0;
  try {
    for await (const chunk of source.open()) {
      onChunk(next);
      yield next;
      next = chunk;
      read += chunk.length;
      if (read > source.size) {
        break;
      }
    }
    if (read !== source.size || (await source.hasChanged?.())) {
      throw new FileSyncError(
        'source_changed',
        `${source.name} was changed while it was read: try again when the file is complete.`,
      );
    }
  } catch (error) {
    // Here, because an ETIMEDOUT of a network drive is not one of the storage.
    throw unreadable(source.name, error);
  }
  onChunk(next);
  yield next;
}
