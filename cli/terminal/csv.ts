import { printable } from '../text.ts';

/** A field of a CSV record. */
export interface CsvField<Row> {
  /** In the header line. */
  readonly name: string;
  /** Undefined is an empty field. */
  readonly value: (row: Row) => string | number | boolean | undefined;
  /** Whether a person chose the text freely: a spreadsheet must not take it for a formula. */
  readonly isFreeText?: true;
}

/** The header line of a CSV file (RFC 4180 section 2). */
export function csvHeader<Row>(fields: readonly CsvField<Row>[]): string {
  return record(fields.map(({ name }) => name));
}

/** The records of rows. Characters that could act on a terminal are replaced, because CSV cannot escape them. */
export function csvRecords<Row>(rows: readonly Row[], fields: readonly CsvField<Row>[]): string {
  return rows.map((row) => record(fields.map((field) => cellOf(row, field)))).join('');
}

function cellOf<Row>(row: Row, { value, isFreeText }: CsvField<Row>): string {
  const text = printable(String(value(row) ?? ''));
  return isFreeText ? withoutFormula(text) : text;
}

/**
 * Spreadsheets run a cell that starts like this as a formula, even in quotation marks. An apostrophe makes it a text.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormula(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) ? `'${text}` : text;
}

function record(cells: readonly string[]): string {
  return `${cells.map(quotedIfNeeded).join(',')}\r\n`;
}

function quotedIfNeeded(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
