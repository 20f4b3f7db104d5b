import { stringify } from 'csv-stringify/sync';
import { printable } from './text.ts';

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
  return recordsOf([fields.map(({ name }) => name)]);
}

/** The records of rows. Characters that could act on a terminal are replaced, because CSV cannot escape them. */
export function csvRecords<Row>(rows: readonly Row[], fields: readonly CsvField<Row>[]): string {
  return recordsOf(rows.map((row) => fields.map((field) => cellOf(row, field))));
}

function recordsOf(records: string[][]): string {
  return stringify(records, { record_delimiter: 'windows' });
}

function cellOf<Row>(row: Row, { value, isFreeText }: CsvField<Row>): string {
  const text = String(value(row) ?? '');
  return printable(isFreeText ? withoutFormulas(text) : text);
}

/**
 * Spreadsheets run a cell that starts like this as a formula, even in quotation marks. An apostrophe makes it a text. Where
 * the decimal sign is a comma, they take a semicolon for the end of a cell.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormulas(text: string): string {
  return text.replace(/(?:^|;)(?=\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/gu, "$&'");
}
