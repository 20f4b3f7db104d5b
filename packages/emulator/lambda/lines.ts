/** Splits text that arrives in chunks into lines. */
interface LineSplitter {
  readonly add: (text: string) => void;
  /** Passes on the text after the last line break as a line. */
  readonly end: () => void;
}

/** @param onLine function that is called with each line, without its line break */
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
