import { stringify } from 'csv-stringify/sync';
import type { Pages } from '../lists/list.ts';
import { printable } from '../text.ts';
import type { Entity } from './entity.ts';
import { attributeOf } from './field.ts';

/**
 * Writes a list as CSV, page by page. The header line (RFC 4180 section 2) contains the names of --json, and
 * is part of the first page.
 */
export async function* csvText(entity: Entity, pages: Pages<object>): AsyncGenerator<string> {
  let header = recordsOf([entity.csv ?? []]);
  for await (const page of pages) {
    yield header + csvRecords(entity, page);
    header = '';
  }
  yield header;
}

/**
 * Returns the CSV records of rows. Replaces characters that could control a terminal, because CSV cannot
 * escape them.
 */
export function csvRecords(entity: Entity, rows: readonly object[]): string {
  return recordsOf(rows.map((row) => (entity.csv ?? []).map((name) => cellOf(entity, row, name))));
}

function recordsOf(records: readonly (readonly string[])[]): string {
  return stringify([...records], { record_delimiter: 'windows' });
}

/**
 * Returns values from AWS or the service unchanged: scripts compare them, and no caller can put a formula
 * into them.
 */
function cellOf({ fields }: Entity, row: object, name: string): string {
  const value = attributeOf(row, name);
  const text = printable(Array.isArray(value) ? value.join(' ') : String(value ?? ''));
  const { kind, of: noun } = fields[name] ?? {};
  return kind === 'opaque' || noun === 'request' ? text : withoutFormulas(text);
}

/**
 * Spreadsheets run a cell that starts with one of these characters as a formula, even in quotation marks. An
 * apostrophe turns the cell into text. Where the decimal sign is a comma, spreadsheets read a semicolon as
 * the end of a cell, and drop the quotation marks after the semicolon.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormulas(text: string): string {
  return text.replace(/(?:^|;)(?=[\s"]*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20])/gu, "$&'");
}
