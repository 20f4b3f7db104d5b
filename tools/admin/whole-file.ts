import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { link, lstat, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperationError, reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';

/**
 * Checks whether a file may be written to a path. Only a regular file is ever replaced: a rename would replace a link, and
 * not the target of the link.
 *
 * @throws {CommandError} when something is there that may not be replaced
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
 * Writes a file that is whole or absent. The bytes go to a temporary file beside the path, which has a name that no other
 * writer has. At the end, the temporary file gets the name of the path. A signal leaves nothing of it.
 *
 * @throws {OperationError} when `body` fails with one
 * @throws {CommandError} when the file cannot be written, or another program has made a file at the path meanwhile
 */
export async function writeWholeFile(
  path: string,
  body: AsyncIterable<Uint8Array>,
  mayReplace: boolean,
  makeLink = link,
): Promise<void> {
  const partial = join(dirname(path), `.${randomUUID()}.partial`);
  const remove = removeAtEnd(partial);
  try {
    await pipeline(body, createWriteStream(partial, { flags: 'wx', flush: true }));
    await (mayReplace ? rename(partial, path) : renameToNew(partial, path, makeLink));
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

/** Gives a file a new name. Unlike a rename, a link fails if the name is taken. */
async function renameToNew(from: string, to: string, makeLink: typeof link): Promise<void> {
  await makeLink(from, to).catch(async () => {
    // exFAT and some network drives have no links. There, an empty file takes the name first, or fails if the name is taken.
    // A kill before the rename leaves the empty file.
    await writeFile(to, '', { flag: 'wx' });
    await rename(from, to);
  });
}

/** Removes a file when the process ends, also by a signal. @returns a function that removes the file now */
function removeAtEnd(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  // Shells expect 128 and the number of the signal. `exit` removes the file.
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
