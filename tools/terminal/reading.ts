import type { Pages } from '../operator/pages.ts';
import type { Output } from './output.ts';

/** Says on a terminal how far the reading of a list is, until there is something to show. */
export interface Reading {
  /** After each page of a table: the number of items read so far. */
  readonly progress: (items: number) => void;
  /** Takes the line away before a page is shown. */
  readonly shownWith: <Entry>(pages: Pages<Entry>) => Pages<Entry>;
}

/** One page needs no line. Only a terminal that shows the result as well gets one. */
export function createReading({ stdout, stderr }: Output): Reading {
  const isTerminal = stdout.isTTY === true && stderr.isTTY === true;
  let pages = 0;
  let drawn = false;
  const draw = (line: string) => {
    stderr.write(`\r\u001b[2K${line}`);
    drawn = line !== '';
  };
  return {
    progress(items) {
      pages += 1;
      if (isTerminal && pages > 1) {
        draw(`Reading: ${items} items so far`);
      }
    },
    async *shownWith(list) {
      try {
        for await (const page of list) {
          if (drawn) {
            draw('');
          }
          yield page;
        }
      } finally {
        if (drawn) {
          draw('');
        }
      }
    },
  };
}
