import { open } from 'node:fs/promises';
import type { BusEvent } from '../../emulator/events/outbox.ts';

/** A file with one event in each line. */
export interface EventLog {
  /** Appends an event. When it resolves, the line is on the disk. */
  readonly append: (event: BusEvent) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the log, and makes it if there is none. A run that was killed while it wrote left half a line. That line is
 * removed: whoever sent the event got no answer, and sends it again.
 */
export async function openEventLog(path: string): Promise<EventLog> {
  const file = await open(path, 'a+', 0o600);
  let size = await endOfLastLine(file);
  await file.truncate(size);
  let last: Promise<unknown> = Promise.resolve();
  const write = async (event: BusEvent) => {
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      await file.appendFile(line);
      await file.datasync();
      size += line.length;
    } catch (error) {
      // On a full disk, a part of the line may be there.
      await file.truncate(size);
      throw error;
    }
  };
  return {
    append: (event) => {
      // One after another: a line that fails must not cut off another one.
      const written = last.then(() => write(event));
      last = written.catch(() => undefined);
      return written;
    },
    close: async () => {
      await last;
      await file.close();
    },
  };
}

/** The longest line that is looked for: PutEvents takes no event of this size. */
const longestLine = 2 * 1024 * 1024;

async function endOfLastLine(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  const { size } = await file.stat();
  const start = Math.max(0, size - longestLine);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  return start + buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
}
