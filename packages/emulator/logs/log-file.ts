import { closeSync, openSync, writeSync } from 'node:fs';
import type { DiskTrouble } from '../shared/disk-trouble.ts';

/** A file that takes lines. */
export interface LogFile {
  readonly write: (line: string) => void;
  readonly close: () => void;
}

/**
 * Appends to a file that its owner alone may read. A line that cannot be written is dropped: a log is no reason to stop
 * serving. Lines are written on this thread: the system takes a line into its memory, and passing it to another thread
 * takes longer.
 */
export function openLogFile(path: string, disk: DiskTrouble): LogFile {
  let descriptor: number | undefined;
  let isClosed = false;
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      disk.noteFailure(error);
    }
  };
  const open = () => {
    descriptor ??= openSync(path, 'a', 0o600);
    return descriptor;
  };
  // The file is there from the start, also when nothing is ever written.
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
