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
  // A cell is cut before it is measured: measuring costs time for every character, and no line shows more than `width`.
  const cellOf = (value: string): Cell => {
    const text = shortened(printable(value), width);
    return { text, width: stringWidth(text) };
  };
  const lineOf = (cells: readonly Cell[]) => {
    const padded = cells.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align));
    return `${shortened(padded.join(gap).trimEnd(), width)}\n`;
  };
  return (rows) => {
    const lines = [...heading, ...rows].map((cells) => cells.map(cellOf));
    heading = [];
    for (const [index, cell] of lines.flatMap((cells) => [...cells.entries()])) {
      widths[index] = Math.max(widths[index] ?? 0, cell.width);
    }
    return lines.map(lineOf).join('');
  };
}

/** The text of a cell, and how many columns of a terminal the text takes. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

function pad({ text, width }: Cell, columns: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(columns - width, 0));
  return align === 'right' ? space + text : text + space;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Shortens a text to a number of terminal columns. It never cuts inside of what a person sees as one character, and reads
 * no more of the text than it returns.
 */
export function shortened(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) {
    return text;
  }
  let [width, end] = [0, 0];
  for (const { segment, index } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) {
      return `${text.slice(0, end)}…`;
    }
    // The ellipsis needs the last column.
    end = width < columns ? index + segment.length : end;
  }
  return text;
}

/** Renders one line for each detail. */
export function renderDetails(details: Details): string {
  const width = Math.max(...details.map(([label]) => label.length));
  return details
    .map(([label, value]) => (value === undefined ? '' : `${label.padEnd(width)}  ${printable(value)}\n`))
    .join('');
}
