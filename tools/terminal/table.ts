import stringWidth from 'string-width';
import { printable } from '../operator/text.ts';

/** A column of a table: its heading, and the text of its cell in a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** For numbers. */
  readonly align?: 'right';
}

const gap = '  ';

/**
 * Starts a table for people, which is written in parts. Cells are made safe for a terminal. Columns grow when a later
 * part has wider cells. A line that is too long for the terminal is cut, and ends with an ellipsis.
 *
 * @param width the columns of the terminal; undefined: nothing is cut
 * @returns a function that renders the next rows, each with a line break; its first call also renders the heading
 */
export function startTable<Row>(
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): (rows: readonly Row[]) => string {
  const widths = columns.map(({ heading }) => stringWidth(heading));
  let isFirst = true;
  const lineOf = (cells: readonly string[]) => {
    const padded = cells.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align));
    return shortened(padded.join(gap).trimEnd(), width);
  };
  return (rows) => {
    const cells = rows.map((row) => columns.map(({ value }) => printable(value(row))));
    for (const line of cells) {
      for (const [index, cell] of line.entries()) {
        widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
      }
    }
    const heading = isFirst ? [lineOf(columns.map(({ heading }) => heading))] : [];
    isFirst = false;
    return [...heading, ...cells.map(lineOf)].map((line) => `${line}\n`).join('');
  };
}

function pad(cell: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(width - stringWidth(cell), 0));
  return align === 'right' ? space + cell : cell + space;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortens a text to a number of terminal columns. It never cuts inside of what a person sees as one character. */
export function shortened(text: string, columns: number): string {
  if (stringWidth(text) <= columns) {
    return text;
  }
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  while (stringWidth(characters.join('')) > columns - 1) {
    characters.pop();
  }
  return `${characters.join('')}…`;
}

/** Renders one line for each pair of name and value. Pairs without a value are left out. */
export function renderDetails(pairs: readonly (readonly [string, string | undefined])[]): string {
  const present = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}\n`).join('');
}
