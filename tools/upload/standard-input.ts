import { randomUUID } from 'node:crypto';
import { fstatSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';
import { createSource, refuseTooLarge, type Source } from './source.ts';

/** A stream to upload, such as `process.stdin`. */
export interface StandardInput extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  /** Absent when the stream has no file descriptor. */
  readonly fd?: number;
}

const inputName = 'standard input';

/**
 * Reads standard input to its end into a temporary file, since a PUT needs its length first. The file is
 * unlinked after it is opened, so that it disappears however this process ends.
 *
 * @throws {CommandError} when there is nothing to read from, or it is larger than one PUT allows
 */
export async function openStandardInput(stream: StandardInput): Promise<Source> {
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
