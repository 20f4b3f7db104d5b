import { stringify } from 'csv-stringify/sync';
import { printable } from '../text.ts';

// The fields of lists as CSV, by the names of --json. The name of a nested one starts with that of its object.

export const clientFields =
  'client_id organisation_id name scopes status created_at revoked_at deleted_at delete_after'.split(' ');

export const fileFields = (
  'file_id organisation_id name sync_enabled created_at updated_at content_upload_id content_key content_version_id ' +
  'content_size content_etag content_completed_at deleted_at delete_after content_checksum_crc64nvme'
).split(' ');

export const uploadFields = (
  'upload_id file_id organisation_id client_id key issued_at expires_at state size etag version_id completed_at ' +
  'cancelled_at superseded_at deleted_at delete_after request_id expired_at checksum_crc64nvme requested_from ' +
  'uploaded_from'
).split(' ');

/** The header line of a CSV file (RFC 4180 section 2). */
export function csvHeader(fields: readonly string[]): string {
  return recordsOf([fields]);
}

/** The records of rows. Characters that could act on a terminal are replaced, because CSV cannot escape them. */
export function csvRecords(rows: readonly object[], fields: readonly string[]): string {
  return recordsOf(rows.map((row) => fields.map((field) => cellOf(row, field))));
}

function recordsOf(records: readonly (readonly string[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { record_delimiter: 'windows' },
  );
}

/**
 * Only names are free text: identifiers, times and states have no characters of which a formula could be made. A checksum
 * in base64 may begin with +, but it ends with =, so it is no formula, and scripts get it as S3 writes it.
 */
function cellOf(row: object, field: string): string {
  const value = attributeOf(row, field);
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  return printable(field === 'name' ? withoutFormulas(text) : text);
}

/** The value of an attribute: `content_size` is the size of the content. */
export function attributeOf(row: object, name: string): unknown {
  const values: Readonly<Record<string, unknown>> = { ...row };
  const content: Readonly<Record<string, unknown>> = { ...(values.content ?? {}) };
  const nested = /^content_(.+)$/.exec(name)?.[1];
  return nested === undefined || name in values ? values[name] : content[nested];
}

/**
 * Spreadsheets run a cell that starts like this as a formula, even in quotation marks. An apostrophe makes it a text. Where
 * the decimal sign is a comma, they take a semicolon for the end of a cell, and drop quotation marks that follow it.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function withoutFormulas(text: string): string {
  return text.replace(/(?:^|;)(?=[\s"]*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20])/gu, "$&'");
}
