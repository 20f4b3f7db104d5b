import { randomUUID } from 'node:crypto';
import { rmSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf, systemCode } from '../../operator/errors.ts';
import { quoted } from '../../operator/text.ts';
import { CommandError } from '../../terminal/errors.ts';

/**
 * Checks that a file can be written to a path.
 *
 * Only a regular file is ever replaced. Links are not followed: the final rename would replace the link, not its
 * target.
 *
 * @throws {CommandError} when the path is taken, or its folder does not exist
 */
export async function checkOutputPath(output: string, force: boolean): Promise<void> {
  const present = await unlessAbsent(output, lstat(output));
  if (present !== undefined) {
    checkReplaceable(output, present, force);
  }
  const folder = dirname(output);
  if (!(await unlessAbsent(folder, stat(folder)))?.isDirectory()) {
    throw new CommandError(`There is no folder ${quoted(folder)}. Create it, or choose another path.`);
  }
}

function checkReplaceable(output: string, present: Stats, force: boolean): void {
  if (!present.isFile()) {
    throw new CommandError(
      `${quoted(output)} is a folder, a link or a device, which is not replaced. Choose the path of a file.`,
    );
  }
  if (!force) {
    throw new CommandError(`${quoted(output)} already exists. Add --force to replace it.`);
  }
}

/** @returns undefined when there is nothing at the path */
async function unlessAbsent(path: string, stats: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await stats;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
      return undefined;
    }
    throw new CommandError(`Cannot check ${quoted(path)}: ${reasonOf(error)}.`);
  }
}

/** Makes a handler for a failed write, which throws a {@link CommandError} that names the path. */
export function failWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(
      `Cannot write ${quoted(path)}: ${reasonOf(error)}. Nothing was written: fix the cause, or choose another path.`,
    );
  };
}

/**
 * Writes to a temporary file in the same folder and then puts it in place, so that the output is never incomplete.
 * The temporary file is removed on every failure.
 *
 * @returns what `write` returned
 */
export async function writeThroughTemporaryFile<Result>(
  output: string,
  force: boolean,
  write: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const temporary = join(dirname(output), `.${basename(output).slice(0, 50)}.${randomUUID()}.partial`);
  const stopRemoving = removeAtEnd(temporary);
  try {
    const handle = await open(temporary, 'wx').catch(failWrite(output));
    let result: Result;
    try {
      result = await write(handle);
      await handle.sync().catch(failWrite(output));
    } finally {
      await handle.close();
    }
    await putInPlace(temporary, output, force);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    stopRemoving();
  }
}

/**
 * Removes the temporary file when the process ends meanwhile, by a signal too.
 *
 * @returns a function that removes the handlers again
 */
function removeAtEnd(temporary: string): () => void {
  const remove = () => rmSync(temporary, { force: true });
  const end = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  process.once('exit', remove);
  for (const signal of signals) {
    process.once(signal, end);
  }
  return () => {
    process.off('exit', remove);
    for (const signal of signals) {
      process.off(signal, end);
    }
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Checks the path again before the rename: a download may have taken an hour. */
async function putInPlace(temporary: string, output: string, force: boolean): Promise<void> {
  await checkOutputPath(output, force);
  await rename(temporary, output).catch(failWrite(output));
}
