import { randomUUID } from 'node:crypto';
import { type Stats, unlinkSync } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError, reasonOf, systemCode } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * Refuses a path to write to that is taken, or in no folder.
 *
 * Only a regular file is replaced: behind any other name there is something that was made on purpose. Links are not
 * followed, since the last step would put the file in place of the link.
 *
 * @throws {CommandError} saying what is there instead
 */
export async function refuseUnusable(output: string, force: boolean): Promise<void> {
  const present = await unlessAbsent(output, lstat(output));
  if (present !== undefined) refuseTaken(output, present, force);
  const folder = dirname(output);
  if (!(await unlessAbsent(folder, stat(folder)))?.isDirectory()) {
    throw new CommandError(`There is no folder ${quoted(folder)} to write to.`);
  }
}

function refuseTaken(output: string, present: Stats, force: boolean): void {
  if (present.isDirectory()) throw new CommandError(`${quoted(output)} is a folder: --output names a file.`);
  if (present.isSymbolicLink()) {
    throw new CommandError(
      `${quoted(output)} is a symbolic link, which is neither followed nor replaced. Name the file itself, or remove the link.`,
    );
  }
  if (!present.isFile()) {
    throw new CommandError(
      `${quoted(output)} is a device, a pipe or a socket, which is not replaced. Name a file, or a path where there is none.`,
    );
  }
  if (!force) throw exists(output);
}

function exists(output: string): CommandError {
  return new CommandError(`${quoted(output)} exists already. Add --force to replace it.`);
}

/** @returns undefined when there is nothing at the path */
async function unlessAbsent(path: string, looked: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CommandError(`Cannot look at ${quoted(path)}: ${reasonOf(error)}.`);
  }
}

/** @throws {CommandError} always: gives a failed write its path */
export function cannotWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(
      `Cannot write ${quoted(path)}: ${reasonOf(error)}. No part of it was kept: mend that, or name another path.`,
    );
  };
}

/** Writes beside the output, so that the last step is within one file system, and cleans up on any way out. */
export async function throughTemporaryFile(
  output: string,
  force: boolean,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(output), `.${basename(output).slice(0, 50)}.${randomUUID()}.partial`);
  const stopRemoving = removeAtEnd(temporary);
  try {
    const handle = await open(temporary, 'wx').catch(cannotWrite(output));
    try {
      await write(handle);
      await handle.sync().catch(cannotWrite(output));
    } finally {
      await handle.close();
    }
    await publish(temporary, output, force);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    stopRemoving();
  }
}

/**
 * No half file stays behind where the process ends: by Ctrl-C, by a closed output, or by an error that nobody expected.
 *
 * @returns what takes the handlers away again
 */
function removeAtEnd(temporary: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    stop();
    removeNow(temporary);
    process.kill(process.pid, signal);
  };
  const remove = () => removeNow(temporary);
  const stop = () => {
    for (const signal of signals) process.off(signal, end);
    process.off('exit', remove);
  };
  for (const signal of signals) process.once(signal, end);
  process.once('exit', remove);
  return stop;
}

function removeNow(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there yet, or is published already.
  }
}

/** A link is refused where a file has appeared meanwhile; a rename would replace it. */
async function publish(temporary: string, output: string, force: boolean): Promise<void> {
  if (force) {
    await replace(temporary, output, force);
    return;
  }
  try {
    await link(temporary, output);
    await unlink(temporary);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw exists(output);
    // Some file systems have no links (FAT, some network mounts).
    await replace(temporary, output, force);
  }
}

/** A download may take an hour, so what is in its place is looked at once more. */
async function replace(temporary: string, output: string, force: boolean): Promise<void> {
  await refuseUnusable(output, force);
  await rename(temporary, output).catch(cannotWrite(output));
}
