import { close as closeFile, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DiskTrouble } from '../shared/disk-trouble.ts';

/** A file that takes lines. */
export interface LogFile {
  readonly write: (line: string) => void;
  /** Waits until the lines are written. */
  readonly close: () => Promise<void>;
}

/** The part of a file that a log needs. It may write less than it was given, as when the disk is nearly full. */
export interface AppendedFile {
  readonly write: (bytes: Buffer, offset: number) => Promise<{ readonly bytesWritten: number }>;
  readonly close: () => Promise<void>;
}

export type OpenAppended = (path: string) => Promise<AppendedFile>;

/**
 * Lines are written on this thread: the system takes a line into its memory, and passing it to another thread takes
 * longer.
 */
const openPrivate: OpenAppended = async (path) => {
  const descriptor = openSync(path, 'a', 0o600);
  return {
    write: async (bytes, offset) => ({ bytesWritten: writeSync(descriptor, bytes, offset) }),
    close: () => promisify(closeFile)(descriptor),
  };
};

/** Lines that wait while the disk is slow. The oldest stay, since they say how the trouble began. */
const mostWaiting = 10_000;

/**
 * Appends to a file that its owner alone may read. A line that cannot be written is dropped and counted: a log is no
 * reason to stop serving. The first line that is written again is preceded by one that says how many are missing.
 */
export function openLogFile(path: string, disk: DiskTrouble, open = openPrivate): LogFile {
  const waiting: string[] = [];
  const appender = createAppender(() => open(path));
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const writeNext = async () => {
    const lines = waiting.splice(0);
    const missing = dropped;
    const notice = missing > 0 ? [droppedNotice(missing)] : [];
    try {
      await appender.append([...notice, ...lines].map((line) => `${line}\n`).join(''));
      dropped -= missing;
    } catch (error) {
      dropped += lines.length;
      disk.noteFailure(error);
    }
  };
  const writeAll = async () => {
    await appender.open().catch(disk.noteFailure);
    while (waiting.length > 0) {
      await writeNext();
    }
    writing = undefined;
  };
  // The file is there from the start, also when nothing is ever written.
  writing = writeAll();
  return {
    write: (line) => {
      if (waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      writing ??= writeAll();
    },
    close: async () => {
      await writing;
      if (dropped > 0) {
        await writeNext();
      }
      await appender.close();
    },
  };
}

function droppedNotice(lines: number): string {
  return JSON.stringify({ level: 'WARN', message: 'log lines were dropped: the disk was full', lines });
}

/** Appends whole lines. A line that was cut short is ended before the next one. */
function createAppender(open: () => Promise<AppendedFile>) {
  let handle: AppendedFile | undefined;
  let cut = false;
  const opened = async () => {
    handle ??= await open();
    return handle;
  };
  return {
    open: opened,
    append: async (text: string): Promise<void> => {
      const file = await opened();
      const bytes = Buffer.from(cut ? `\n${text}` : text);
      for (let written = 0; written < bytes.length; ) {
        written += (await file.write(bytes, written)).bytesWritten;
        cut = bytes[written - 1] !== 0x0a;
      }
    },
    close: async () => {
      await handle?.close();
    },
  };
}
