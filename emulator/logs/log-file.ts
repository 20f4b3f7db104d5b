import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** A file that takes lines. */
export interface LogFile {
  readonly write: (line: string) => void;
  readonly close: () => Promise<void>;
}

/** Appends to a file that its owner alone may read. */
export function openLogFile(path: string): LogFile {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  return {
    write: (line) => void file.write(`${line}\n`),
    close: async () => {
      file.end();
      await finished(file);
    },
  };
}
