import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './errors.ts';

/** Suffix of files during a write. A file with this suffix at the start is unfinished. */
export const temporarySuffix = '.tmp';

/** Syncs a folder: a rename survives a power cut only after its folder is synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder that only this user may read, with its parents. */
export async function createDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file atomically: after a crash at any moment the file contains the old content or the new
 * content. The new content is durable when this returns. Only this user may read the file.
 */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}${temporarySuffix}`);
  try {
    await writeDurably(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    // On a full disk, no leftover file may take space.
    await removeFile(temporary);
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function writeDurably(path: string, content: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a text file; returns undefined when there is none. */
export function readFileIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => ifMissing(error, undefined));
}

/** Returns the names in a folder; none when there is no folder. */
export function listDirectory(directory: string): Promise<string[]> {
  return readdir(directory).catch((error) => ifMissing(error, []));
}

/** @throws the error, except for a missing file or folder */
function ifMissing<Value>(error: unknown, value: Value): Value {
  if (codeOf(error) === 'ENOENT') {
    return value;
  }
  throw error;
}

/** Removes a file. A missing file is not an error: a removal can be repeated. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Creates a folder, and removes unfinished files of a killed process from it. */
export async function openDirectory(directory: string): Promise<void> {
  await createDirectory(directory);
  await removeTemporaryFiles(directory);
}

/** Removes unfinished files of a killed process from a folder. */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  const names = await listDirectory(directory);
  const leftOver = names.filter((name) => name.endsWith(temporarySuffix));
  await Promise.all(leftOver.map((name) => removeFile(join(directory, name))));
}
