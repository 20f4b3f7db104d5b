import { randomUUID } from 'node:crypto';
import { fstatSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { maximumUploadBytes } from '../../contract/limits.ts';
import { CommandError, reasonOf, systemCode } from '../errors.ts';
import { formatBytes, quoted } from '../text.ts';
import { uploadExitCodes } from './exit-codes.ts';

/** The bytes to upload. They can be read as often as it takes. */
export interface Source {
  /** For people. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Fills the buffer with what stands at the position.
   *
   * @throws {CommandError} when the file has become shorter
   */
  readonly read: (buffer: Buffer, position: number) => Promise<void>;
  /** @throws {CommandError} when the file was written to since it was opened */
  readonly verifyUnchanged: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a file for upload.
 *
 * @throws {CommandError} when it is no readable file, or larger than one PUT takes
 */
export async function openFile(path: string): Promise<Source> {
  await refuseUnusable(path);
  try {
    return await createSource(basename(path), await open(path, 'r'));
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** Looked at before it is opened: to open a named pipe is to wait for its writer. */
async function refuseUnusable(path: string): Promise<void> {
  const facts = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (facts.isDirectory()) throw new CommandError(`${quoted(path)} is a folder: name a file.`);
  if (!facts.isFile()) {
    throw new CommandError(`${quoted(path)} is not a regular file: pipe it in, with - as the file.`);
  }
  refuseTooLarge(path, facts.size);
}

function cannotRead(path: string, error: unknown): unknown {
  if (error instanceof CommandError) return error;
  if (systemCode(error) === 'ENOENT') return new CommandError(`There is no file ${quoted(path)}.`);
  return new CommandError(`Cannot read ${quoted(path)}: ${reasonOf(error)}.`);
}

/** Both numbers to the byte: one byte too many makes no difference in GiB. */
function refuseTooLarge(name: string, size: number, amount = `${size} bytes`): void {
  if (size <= maximumUploadBytes) return;
  throw new CommandError(
    `${quoted(name)} has ${amount}; one upload takes at most ${formatBytes(maximumUploadBytes)} (${maximumUploadBytes} bytes). Nothing was sent.`,
    uploadExitCodes.tooLarge,
  );
}

/** A stream to upload: `process.stdin`. */
export interface StandardInput extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  /** Absent where no descriptor of the system stands behind it. */
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
  if (stream.fd !== undefined) refuseUnreadable(stream.fd);
  const handle = await openTemporary().catch(cannotKeep);
  try {
    await copy(stream, handle);
    return await createSource(inputName, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Node makes an empty stream of a folder and of a disk, and opens the null device in place of a descriptor that is
 * closed. All of these would replace a file's content by nothing, and nobody means that.
 */
function refuseUnreadable(fd: number): void {
  const facts = fstatSync(fd);
  if (facts.isDirectory()) throw new CommandError('Standard input is a folder: name a file.');
  if (facts.isBlockDevice()) throw new CommandError('Standard input is a disk: pipe it in, with cat.');
  if (isNullDevice(facts)) {
    throw new CommandError(
      'Standard input is closed, or the null device: there is nothing to read. Pipe something in, or name a file. To upload an empty one, name it.',
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
    await handle.writeFile(chunk).catch(cannotKeep);
  }
}

/** Tells what fails in reading from what fails in keeping. */
async function* readable(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new CommandError(`Cannot read standard input: ${reasonOf(error)}. Nothing was sent.`);
  }
}

function cannotKeep(error: unknown): never {
  throw new CommandError(
    `Cannot keep standard input in ${quoted(tmpdir())}: ${reasonOf(error)}. Nothing was sent: set TMPDIR to a folder with room for it.`,
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
      if (now.size !== opened.size || now.mtimeNs !== opened.mtimeNs) throw changed(name);
    },
    close: () => handle.close(),
  };
}

async function readFully(handle: FileHandle, buffer: Buffer, position: number, name: string): Promise<void> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle
      .read(buffer, filled, buffer.length - filled, position + filled)
      // Said here, since further up an ETIMEDOUT of a network drive would pass for one of the storage.
      .catch((error: unknown) => {
        throw cannotRead(name, error);
      });
    if (bytesRead === 0) throw changed(name);
    filled += bytesRead;
  }
}

function changed(name: string): CommandError {
  return new CommandError(
    `${quoted(name)} was changed while it was read, so the upload was broken off and nothing was stored. Try again when it is complete.`,
  );
}
