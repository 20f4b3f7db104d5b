import { randomUUID } from 'node:crypto';
import { fstatSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { maximumUploadBytes } from '../../contract/limits.ts';
import { CommandError, exitCodes, reasonOf, systemCode } from '../errors.ts';
import { formatBytes, quoted } from '../text.ts';

/** The bytes to upload. They can be read again for each attempt. */
export interface Source {
  /** Name for people. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Fills the buffer with the bytes from the position.
   *
   * @throws {CommandError} when the file has become shorter
   */
  readonly read: (buffer: Buffer, position: number) => Promise<void>;
  /** @throws {CommandError} when the file has changed since it was opened */
  readonly verifyUnchanged: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a file for upload.
 *
 * @throws {CommandError} when it is not a readable file, or larger than one PUT allows
 */
export async function openFile(path: string): Promise<Source> {
  await checkPath(path);
  try {
    return await createSource(basename(path), await open(path, 'r'));
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** Checks the path before it is opened: opening a named pipe would wait for its writer. */
async function checkPath(path: string): Promise<void> {
  const facts = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (facts.isDirectory()) {
    throw new CommandError(`${quoted(path)} is a folder. Give the path of a file.`);
  }
  if (!facts.isFile()) {
    throw new CommandError(
      `${quoted(path)} is not a regular file. Pipe its content into this command, with - as the path.`,
    );
  }
  refuseTooLarge(path, facts.size);
}

function cannotRead(path: string, error: unknown): unknown {
  if (error instanceof CommandError) {
    return error;
  }
  if (systemCode(error) === 'ENOENT') {
    return new CommandError(`There is no file ${quoted(path)}.`);
  }
  return new CommandError(`Cannot read ${quoted(path)}: ${reasonOf(error)}.`);
}

/** The message has exact numbers: one byte too many would not show in GiB. */
function refuseTooLarge(name: string, size: number, amount = `${size} bytes`): void {
  if (size <= maximumUploadBytes) {
    return;
  }
  throw new CommandError(
    `${quoted(name)} has ${amount}, but one upload can have at most ${formatBytes(maximumUploadBytes)} (${maximumUploadBytes} bytes). Nothing was sent.`,
    exitCodes.tooLarge,
  );
}

/** A stream to upload, such as `process.stdin`. */
export interface StandardInput extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  /** Absent when the stream has no file descriptor. */
  readonly fd?: number;
}

const inputName = 'standard input';

/**
 * Reads standard input to its end into a temporary file, since a PUT needs its length first. The file has no name while
 * it is in use, so that nothing of it stays, however this process ends.
 *
 * @throws {CommandError} when there is nothing to read from, or it is more than one PUT takes
 */
export async function openStream(stream: StandardInput): Promise<Source> {
  if (stream.fd !== undefined) {
    checkDescriptor(stream.fd);
  }
  const handle = await openTemporary().catch(failTemporaryWrite);
  try {
    await copy(stream, handle);
    return await createSource(inputName, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Node reads a folder or a disk as an empty stream, and opens the null device in place of a closed descriptor. Each
 * would replace the content of a file with nothing by mistake.
 */
function checkDescriptor(fd: number): void {
  const facts = fstatSync(fd);
  if (facts.isDirectory()) {
    throw new CommandError('Standard input is a folder. Give the path of a file.');
  }
  if (facts.isBlockDevice()) {
    throw new CommandError('Standard input is a disk. Pipe its content into this command with cat.');
  }
  if (isNullDevice(facts)) {
    throw new CommandError(
      'Standard input is closed, or the null device: there is nothing to read. Pipe content into this command, or give the path of a file. To upload an empty file, give its path.',
    );
  }
}

function isNullDevice(facts: Stats): boolean {
  const nullDevice = statSync(devNull, { throwIfNoEntry: false });
  return facts.isCharacterDevice() && facts.rdev === nullDevice?.rdev;
}

async function openTemporary(): Promise<FileHandle> {
  const path = join(tmpdir(), `file-sync-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

async function copy(stream: AsyncIterable<Uint8Array>, handle: FileHandle): Promise<void> {
  let size = 0;
  for await (const chunk of readable(stream)) {
    size += chunk.length;
    refuseTooLarge(inputName, size, `at least ${size} bytes`);
    await handle.writeFile(chunk).catch(failTemporaryWrite);
  }
}

/** Gives read errors a message of their own, different from errors of the temporary file. */
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

async function createSource(name: string, handle: FileHandle): Promise<Source> {
  const opened = await handle.stat({ bigint: true });
  const size = Number(opened.size);
  refuseTooLarge(name, size);
  return {
    name,
    size,
    read: (buffer, position) => readFully(handle, buffer, position, name),
    verifyUnchanged: async () => {
      const now = await handle.stat({ bigint: true });
      if (now.size !== opened.size || now.mtimeNs !== opened.mtimeNs) {
        throw changed(name);
      }
    },
    close: () => handle.close(),
  };
}

async function readFully(handle: FileHandle, buffer: Buffer, position: number, name: string): Promise<void> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle
      .read(buffer, filled, buffer.length - filled, position + filled)
      // Caught here: further up, an ETIMEDOUT of a network drive would look like one of the storage.
      .catch((error: unknown) => {
        throw cannotRead(name, error);
      });
    if (bytesRead === 0) {
      throw changed(name);
    }
    filled += bytesRead;
  }
}

function changed(name: string): CommandError {
  return new CommandError(
    `${quoted(name)} was changed while it was read. The upload was stopped and nothing was stored: try again when the file is complete.`,
  );
}
