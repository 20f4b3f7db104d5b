import { printable } from '../text.ts';

export interface Style {
  /** Whether to use escape sequences for colour. */
  readonly colour: boolean;
}

/** A column of a table: its heading, and the text of its cell in a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** For numbers. */
  readonly align?: 'right';
}

/** Renders a table for people, with a final line break. Cells are made safe for a terminal. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: Style,
): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.value(row))));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.heading), ...cells.map((line) => displayWidth(line[index] ?? ''))),
  );
  const layOut = (line: readonly string[]): string =>
    line
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
      .join('  ')
      .trimEnd();
  const heading = emphasise(layOut(columns.map((column) => column.heading)), style);
  return `${[heading, ...cells.map(layOut)].join('\n')}\n`;
}

/** Renders one line for each pair of name and value. Pairs without a value are left out. */
export function renderDetails(
  pairs: readonly (readonly [string, string | undefined])[],
  style: Style,
): string {
  const present = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present
    .map(([name, value]) => `${emphasise(name.padEnd(width), style)}  ${printable(value)}\n`)
    .join('');
}

function emphasise(text: string, style: Style): string {
  return style.colour ? `\u001b[1m${text}\u001b[0m` : text;
}

function pad(cell: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(width - displayWidth(cell), 0));
  return align === 'right' ? space + cell : cell + space;
}

const wide =
  /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The terminal columns of a text: combining marks take none, East Asian characters and emoji take two. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) {
      continue;
    }
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
