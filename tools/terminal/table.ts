import stringWidth from 'fast-string-width';
import type { ListColumn } from '../operator/description/entity.ts';
import { printable, shortId } from '../operator/text.ts';
import { type Output, showJson } from './output.ts';

/** Labels and values. Labels without a value are left out. */
export type Details = readonly (readonly [label: string, value: string | undefined])[];

const gap = '  ';

/**
 * Starts a table for people, written in parts. Unsafe characters in cells are replaced. Columns grow when a
 * later part contains wider cells. If the first part exceeds the width of the terminal, ids are shortened. Lines that
 * still exceed it are cut, and end with an ellipsis.
 *
 * @param width columns of the terminal; undefined: lines are not cut
 * @returns function that renders the cells of the next rows, each with a line break; its first call also
 * renders the heading
 */
export function startTable(
  columns: readonly ListColumn[],
  width = Number.POSITIVE_INFINITY,
): (rows: readonly (readonly string[])[]) => string {
  const widths: number[] = [];
  let heading = [columns.map(({ heading }) => heading.toUpperCase())];
  let isNarrow: boolean | undefined;
  // A cell is cut before it is measured: measuring costs time for every character, and a line shows at most
  // `width`.
  const cellOf = (value: string): Cell => {
    const text = shortened(printable(value), width);
    return { text, width: stringWidth(text) };
  };
  const lineOf = (cells: readonly Cell[]) => {
    const padded = cells.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.isNumber));
    return `${shortened(padded.join(gap).trimEnd(), width)}\n`;
  };
  return (rows) => {
    isNarrow ??= rows.some((cells) => stringWidth(cells.join(gap)) > width);
    const short = isNarrow
      ? rows.map((cells) => cells.map((cell, index) => (columns[index]?.isId ? shortId(cell) : cell)))
      : rows;
    const lines = [...heading, ...short].map((cells) => cells.map(cellOf));
    heading = [];
    for (const [index, cell] of lines.flatMap((cells) => [...cells.entries()])) {
      widths[index] = Math.max(widths[index] ?? 0, cell.width);
    }
    return lines.map(lineOf).join('');
  };
}

/** Text of a cell, and its width in terminal columns. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

function pad({ text, width }: Cell, columns: number, isNumber = false): string {
  const space = ' '.repeat(Math.max(columns - width, 0));
  return isNumber ? space + text : text + space;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Shortens a text to a number of terminal columns. It never splits a grapheme cluster, and reads only the
 * part of the text that it returns.
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

/** Shows one object: as JSON, or as a list of its details for people. */
export function showOne(output: Output, shown: object, details: Details): void {
  if (output.json) {
    showJson(output, shown);
  } else {
    output.stdout.write(renderDetails(details));
  }
}
