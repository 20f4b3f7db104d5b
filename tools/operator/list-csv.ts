import type { Client } from './clients.ts';
import type { CsvField } from './csv.ts';
import type { File } from './files.ts';
import type { Upload } from './uploads.ts';

// The fields of lists as CSV. They have the names of --json; the name of a nested one starts with that of its object.
// Only names are free text: identifiers, times and states have no characters of which a formula could be made. A checksum
// in base64 may begin with +, but it ends with =, so it is no formula, and scripts get it as S3 writes it.

export const clientFields: readonly CsvField<Client>[] = [
  ...fieldsOf<Client>('client_id organisation_id name scopes status created_at revoked_at'),
  { name: 'secret_ids', value: (client) => client.secrets.map(({ secret_id }) => secret_id).join(' ') },
  ...fieldsOf<Client>('deleted_at delete_after'),
];

export const fileFields: readonly CsvField<File>[] = fieldsOf(
  'file_id organisation_id name sync_enabled created_at updated_at content_upload_id content_key content_version_id ' +
    'content_size content_etag content_completed_at deleted_at delete_after content_checksum_crc64nvme',
);

export const uploadFields: readonly CsvField<Upload>[] = fieldsOf(
  'upload_id file_id organisation_id client_id key issued_at expires_at state size etag version_id completed_at ' +
    'cancelled_at superseded_at deleted_at delete_after request_id expired_at checksum_crc64nvme',
);

function fieldsOf<Row extends object>(names: string): readonly CsvField<Row>[] {
  return names.split(' ').map((name) => ({
    name,
    value: (row) => fieldValue(row, name),
    ...(name === 'name' && { isFreeText: true as const }),
  }));
}

function fieldValue(row: object, name: string): string | undefined {
  const values: Readonly<Record<string, unknown>> = { ...row };
  const nested = name.startsWith('content_') ? name.slice('content_'.length) : undefined;
  const content = { ...(values.content as Readonly<Record<string, unknown>> | undefined) };
  const value = nested === undefined ? values[name] : content[nested];
  if (value === undefined) {
    return undefined;
  }
  return Array.isArray(value) ? value.join(' ') : String(value);
}
