/** Splits text that comes in pieces into lines. */
export interface LineSplitter {
  readonly add: (text: string) => void;
  /** The text after the last line break becomes a line. */
  readonly end: () => void;
}

/** @param onLine takes each line, without its line break */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let rest = '';
  return {
    add: (text) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        onLine(line);
      }
    },
    end: () => {
      if (rest !== '') {
        onLine(rest);
      }
    },
  };
}
