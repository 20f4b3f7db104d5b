import stringWidth from 'string-width';
import { printable } from '../operator/text.ts';

/** A column of a table. */
export interface Column {
  readonly heading: string;
  /** For numbers. */
  readonly align?: 'right';
}

/** Labels and values. A label without a value is left out. */
export type Details = readonly (readonly [label: string, value: string | undefined])[];

const gap = '  ';

/**
 * Starts a table for people, which is written in parts. Cells are made safe for a terminal. Columns grow when a later
 * part has wider cells. A line that is too long for the terminal is cut, and ends with an ellipsis.
 *
 * @param width the columns of the terminal; undefined: nothing is cut
 * @returns a function that renders the cells of the next rows, each with a line break; its first call also renders the
 *   heading
 */
export function startTable(
  columns: readonly Column[],
  width = Number.POSITIVE_INFINITY,
): (rows: readonly (readonly string[])[]) => string {
  const widths: number[] = [];
  let heading = [columns.map(({ heading }) => heading)];
  const lineOf = (cells: readonly string[]) => {
    const padded = cells.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align));
    return `${shortened(padded.join(gap).trimEnd(), width)}\n`;
  };
  return (rows) => {
    const lines = [...heading, ...rows.map((cells) => cells.map(printable))];
    heading = [];
    for (const [index, cell] of lines.flatMap((cells) => [...cells.entries()])) {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
    }
    return lines.map(lineOf).join('');
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

/** Renders one line for each detail. */
export function renderDetails(details: Details): string {
  const width = Math.max(...details.map(([label]) => label.length));
  return details
    .map(([label, value]) => (value === undefined ? '' : `${label.padEnd(width)}  ${printable(value)}\n`))
    .join('');
}
