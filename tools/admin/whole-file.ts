import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { link, lstat, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperationError, reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';

/**
 * Checks if a file may be written to a path. Only a regular file may be replaced: a rename would replace a
 * link, and not the target of the link.
 *
 * @throws {CommandError} if the path exists and may not be replaced
 */
export async function checkOutputPath(path: string, mayReplace: boolean): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present !== undefined && !present.isFile()) {
    throw new CommandError(
      `${quoted(path)} is a folder, a link or a device. Only a file is replaced: choose the path of a file.`,
    );
  }
  if (present !== undefined && !mayReplace) {
    throw new CommandError(`${quoted(path)} already exists. Add --force to replace it.`);
  }
}

/**
 * Writes a file completely or not at all. The bytes go to a temporary file with a unique name in the same
 * folder, which is renamed at the end. A signal removes the temporary file.
 *
 * @throws {OperationError} error of `body`
 * @throws {CommandError} if the file cannot be written, or another program created the path in the meantime
 */
export async function writeWholeFile(
  path: string,
  body: AsyncIterable<Uint8Array>,
  mayReplace: boolean,
): Promise<void> {
  const partial = join(dirname(path), `.${randomUUID()}.partial`);
  const remove = removeAtEnd(partial);
  try {
    await pipeline(body, createWriteStream(partial, { flags: 'wx', flush: true }));
    // Unlike a rename, a link fails if the new name is taken. `remove` removes the old name.
    await (mayReplace ? rename(partial, path) : link(partial, path));
  } catch (error) {
    if (error instanceof OperationError) {
      throw error;
    }
    await checkOutputPath(path, mayReplace);
    throw new CommandError(
      `Cannot write ${quoted(path)}: ${reasonOf(error)}. Nothing was written: fix the cause, or choose another path.`,
    );
  } finally {
    remove();
  }
}

/**
 * Removes a file when the process ends, also by a signal. @returns function that removes the file immediately
 */
function removeAtEnd(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  // Shells expect 128 plus the number of the signal. `exit` removes the file.
  const stop = (_: string, number: number) => process.exit(128 + number);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  process.once('exit', remove);
  for (const signal of signals) {
    process.once(signal, stop);
  }
  return () => {
    remove();
    process.off('exit', remove);
    for (const signal of signals) {
      process.off(signal, stop);
    }
  };
}
