import { randomUUID } from 'node:crypto';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { maximumUploadBytes } from '../../lambdas/shared/contract.ts';
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

function refuseTooLarge(name: string, size: number): void {
  if (size <= maximumUploadBytes) return;
  throw new CommandError(
    `${quoted(name)} has ${formatBytes(size)} (${size}); one upload takes at most ${formatBytes(maximumUploadBytes)}. Nothing was sent.`,
    uploadExitCodes.tooLarge,
  );
}

/**
 * Reads a stream to its end into a temporary file, since a PUT needs its length first. The file has no name while
 * it is in use, so that nothing of it stays, however this process ends.
 *
 * @throws {CommandError} when it is more than one PUT takes
 */
export async function openStream(stream: AsyncIterable<Uint8Array>): Promise<Source> {
  const path = join(tmpdir(), `file-sync-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const chunk of stream) {
      size += chunk.length;
      refuseTooLarge('standard input', size);
      await handle.writeFile(chunk);
    }
    return await createSource('standard input', handle);
  } catch (error) {
    await handle.close();
    throw error instanceof CommandError
      ? error
      : new CommandError(`Cannot keep standard input in ${quoted(tmpdir())}: ${reasonOf(error)}.`);
  }
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
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) throw changed(name);
    filled += bytesRead;
  }
}

function changed(name: string): CommandError {
  return new CommandError(
    `${quoted(name)} was changed while it was read, so the upload was broken off and nothing was stored. Try again when it is complete.`,
  );
}
