import { type FileHandle, open } from 'node:fs/promises';
import type { DiskTrouble } from '../shared/disk-trouble.ts';

/** A file that takes lines. */
export interface LogFile {
  readonly write: (line: string) => void;
  /** Waits until the lines are written. */
  readonly close: () => Promise<void>;
}

/** Lines that wait while the disk is slow. The oldest stay, since they say how the trouble began. */
const mostWaiting = 10_000;

/**
 * Appends to a file that its owner alone may read. A line that cannot be written is dropped and counted: a log is no
 * reason to stop serving. The first line that is written again is preceded by one that says how many are missing.
 */
export function openLogFile(path: string, disk: DiskTrouble): LogFile {
  const waiting: string[] = [];
  const appender = createAppender(path);
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const writeNext = async () => {
    const lines = waiting.splice(0);
    const missing = dropped;
    const notice = missing > 0 ? [droppedNotice(missing)] : [];
    try {
      await appender.append([...notice, ...lines].map((line) => `${line}\n`).join(''));
      dropped -= missing;
      disk.noteSuccess();
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
      await appender.close();
    },
  };
}

function droppedNotice(lines: number): string {
  return JSON.stringify({ level: 'WARN', message: 'log lines were dropped: the disk was full', lines });
}

/** Appends whole lines. A line that was cut short is ended before the next one. */
function createAppender(path: string) {
  let handle: FileHandle | undefined;
  let cut = false;
  const opened = async () => {
    handle ??= await open(path, 'a', 0o600);
    return handle;
  };
  return {
    open: opened,
    append: async (text: string): Promise<void> => {
      const file = await opened();
      const bytes = Buffer.from(cut ? `\n${text}` : text);
      for (let written = 0; written < bytes.length; ) {
        // The system may write less than it was given, as when the disk is nearly full.
        written += (await file.write(bytes, written)).bytesWritten;
        cut = bytes[written - 1] !== 0x0a;
      }
    },
    close: async () => {
      await handle?.close();
    },
  };
}
