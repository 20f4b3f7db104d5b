import { printable } from '../operator/text.ts';
import { displayWidth, shortened } from './display-width.ts';

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
  /** Where the terminal is too narrow, the column with the greatest number goes first. Default: it always stays. */
  readonly dropOrder?: number;
  /** Where the terminal is too narrow, cells are shortened to this many columns. Default: never, as for every id. */
  readonly shortest?: number;
}

/** A table that is written part by part. */
export interface Table<Row> {
  /** Renders the next rows, each with a line break. The first call also renders the heading. */
  readonly render: (rows: readonly Row[]) => string;
  /** The headings of columns that did not fit. Known after the first rows. */
  readonly dropped: () => readonly string[];
}

/**
 * Starts a table for people. Cells are made safe for a terminal. The first rows decide which columns there are and how
 * wide they are. Columns grow when a later part has wider cells.
 *
 * @param width the columns of the terminal; undefined: nothing is dropped or shortened
 */
export function startTable<Row>(columns: readonly Column<Row>[], style: Style, width?: number): Table<Row> {
  let shown: readonly Column<Row>[] | undefined;
  let widest = new Map(columns.map((column) => [column, displayWidth(column.heading)]));
  return {
    render(rows) {
      const cells = rows.map((row) => columns.map((column) => safeCell(column.value(row))));
      widest = new Map(
        columns.map((column, index) => [column, widestOf(cells, index, widest.get(column) ?? 0)]),
      );
      const isFirst = shown === undefined;
      shown ??= columnsThatFit(columns, widest, width);
      const widths = fittedWidths(shown, widest, width);
      const layOut = (cellOf: (column: Column<Row>) => string) =>
        [...widths]
          .map(([column, columns]) =>
            pad(isolated(shortened(cellOf(column), columns), width), columns, column.align),
          )
          .join(gap)
          .trimEnd();
      const lines = cells.map((line) => layOut((column) => line[columns.indexOf(column)] ?? ''));
      const heading = isFirst ? [emphasise(layOut(headingOf), style)] : [];
      return [...heading, ...lines].map((line) => `${line}\n`).join('');
    },
    dropped: () => columns.filter((column) => shown?.includes(column) === false).map(headingOf),
  };
}

/** Renders a whole table for people. {@link startTable} renders one page by page. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  style: Style,
): string {
  return startTable(columns, style).render(rows);
}

const gap = '  ';

function headingOf({ heading }: { readonly heading: string }): string {
  return heading;
}

/** The Arabic letter mark and the marks of direction, which are invisible and reorder what is near them. */
const directionMarks = /[\u061c\u200e\u200f]/g;

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

function safeCell(text: string): string {
  return printable(text).replace(directionMarks, '\u{fffd}');
}

/**
 * On a terminal, text that runs from right to left is isolated (UAX #9, FSI and PDI), so that it does not reorder the
 * cells beside it.
 */
function isolated(cell: string, width: number | undefined): string {
  return width !== undefined && rightToLeft.test(cell) ? `\u2068${cell}\u2069` : cell;
}

function widestOf(cells: readonly (readonly string[])[], index: number, atLeast: number): number {
  return cells.reduce((width, line) => Math.max(width, displayWidth(line[index] ?? '')), atLeast);
}

type Widths<Row> = ReadonlyMap<Column<Row>, number>;

function leastWidth<Row>(column: Column<Row>, widest: Widths<Row>): number {
  const wanted = widest.get(column) ?? 0;
  return Math.min(wanted, Math.max(column.shortest ?? wanted, displayWidth(column.heading)));
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width + gap.length, -gap.length);
}

/** Leaves columns out, in their order, until the others fit when they are as short as they may be. */
function columnsThatFit<Row>(
  columns: readonly Column<Row>[],
  widest: Widths<Row>,
  width = Number.POSITIVE_INFINITY,
): readonly Column<Row>[] {
  const last = columns.reduce<Column<Row> | undefined>(
    (found, column) => ((column.dropOrder ?? 0) > (found?.dropOrder ?? 0) ? column : found),
    undefined,
  );
  const fits = totalOf(columns.map((column) => leastWidth(column, widest))) <= width;
  return fits || last === undefined
    ? columns
    : columnsThatFit(
        columns.filter((column) => column !== last),
        widest,
        width,
      );
}

/** Takes what is missing from the widest column that may be shortened, again and again. */
function fittedWidths<Row>(
  columns: readonly Column<Row>[],
  widest: Widths<Row>,
  width = Number.POSITIVE_INFINITY,
): Widths<Row> {
  const widths = new Map(columns.map((column) => [column, widest.get(column) ?? 0]));
  while (totalOf([...widths.values()]) > width) {
    const [widestEntry] = [...widths]
      .filter(([column, current]) => current > leastWidth(column, widest))
      .sort(([, a], [, b]) => b - a);
    if (widestEntry === undefined) {
      break;
    }
    widths.set(widestEntry[0], widestEntry[1] - 1);
  }
  return widths;
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
