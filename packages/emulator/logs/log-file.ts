import { closeSync, openSync, writeSync } from 'node:fs';
import type { FullDiskReporter } from '../shared/full-disk.ts';

/** A file of lines. */
export interface LogFile {
  readonly write: (line: string) => void;
  readonly close: () => void;
}

/**
 * Appends to a file that only its owner may read. A line that cannot be written is dropped: the emulator
 * continues to serve without a log. Lines are written on this thread, because passing a line to another
 * thread takes longer than writing it.
 */
export function openLogFile(path: string, disk: FullDiskReporter): LogFile {
  let descriptor: number | undefined;
  let isClosed = false;
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      disk.reportFailure(error);
    }
  };
  const open = () => {
    descriptor ??= openSync(path, 'a', 0o600);
    return descriptor;
  };
  // Creates the file at the start, even if no line follows.
  attempt(open);
  return {
    write: (line) => {
      if (!isClosed) {
        attempt(() => writeSync(open(), `${line}\n`));
      }
    },
    close: () => {
      isClosed = true;
      if (descriptor !== undefined) {
        closeSync(descriptor);
      }
    },
  };
}
