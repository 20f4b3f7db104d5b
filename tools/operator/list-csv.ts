import type { Client } from './clients.ts';
import type { CsvField } from './csv.ts';
import type { File } from './files.ts';
import type { Upload } from './uploads.ts';

// The fields of lists as CSV. They have the names of --json; the name of a nested one starts with that of its object.
// Only names are free text: identifiers, times and states have no characters of which a formula could be made. A checksum
// in base64 may begin with +, but it ends with =, so it is no formula, and scripts get it as S3 writes it.

const deletionFields: readonly CsvField<{ readonly deleted_at?: string; readonly delete_after?: string }>[] =
  [
    { name: 'deleted_at', value: ({ deleted_at }) => deleted_at },
    { name: 'delete_after', value: ({ delete_after }) => delete_after },
  ];

export const clientFields: readonly CsvField<Client>[] = [
  { name: 'client_id', value: (client) => client.client_id },
  { name: 'organisation_id', value: (client) => client.organisation_id },
  { name: 'name', value: (client) => client.name, isFreeText: true },
  { name: 'scopes', value: (client) => client.scopes.join(' ') },
  { name: 'status', value: (client) => client.status },
  { name: 'created_at', value: (client) => client.created_at },
  { name: 'revoked_at', value: (client) => client.revoked_at },
  { name: 'secret_ids', value: (client) => client.secrets.map(({ secret_id }) => secret_id).join(' ') },
  ...deletionFields,
];

export const fileFields: readonly CsvField<File>[] = [
  { name: 'file_id', value: (file) => file.file_id },
  { name: 'organisation_id', value: (file) => file.organisation_id },
  { name: 'name', value: (file) => file.name, isFreeText: true },
  { name: 'sync_enabled', value: (file) => file.sync_enabled },
  { name: 'created_at', value: (file) => file.created_at },
  { name: 'updated_at', value: (file) => file.updated_at },
  { name: 'content_upload_id', value: (file) => file.content?.upload_id },
  { name: 'content_key', value: (file) => file.content?.key },
  { name: 'content_version_id', value: (file) => file.content?.version_id },
  { name: 'content_size', value: (file) => file.content?.size },
  { name: 'content_etag', value: (file) => file.content?.etag },
  { name: 'content_completed_at', value: (file) => file.content?.completed_at },
  ...deletionFields,
  { name: 'content_checksum_crc64nvme', value: (file) => file.content?.checksum_crc64nvme },
];

export const uploadFields: readonly CsvField<Upload>[] = [
  { name: 'upload_id', value: (upload) => upload.upload_id },
  { name: 'file_id', value: (upload) => upload.file_id },
  { name: 'organisation_id', value: (upload) => upload.organisation_id },
  { name: 'client_id', value: (upload) => upload.client_id },
  { name: 'key', value: (upload) => upload.key },
  { name: 'issued_at', value: (upload) => upload.issued_at },
  { name: 'expires_at', value: (upload) => upload.expires_at },
  { name: 'state', value: (upload) => upload.state },
  { name: 'size', value: (upload) => ifCompleted(upload)?.size },
  { name: 'etag', value: (upload) => ifCompleted(upload)?.etag },
  { name: 'version_id', value: (upload) => ifCompleted(upload)?.version_id },
  { name: 'completed_at', value: (upload) => ifCompleted(upload)?.completed_at },
  {
    name: 'cancelled_at',
    value: (upload) => (upload.state === 'cancelled' ? upload.cancelled_at : undefined),
  },
  { name: 'superseded_at', value: (upload) => upload.superseded_at },
  ...deletionFields,
  { name: 'request_id', value: (upload) => upload.request_id },
  { name: 'expired_at', value: (upload) => upload.expired_at },
  { name: 'checksum_crc64nvme', value: (upload) => ifCompleted(upload)?.checksum_crc64nvme },
];

function ifCompleted(upload: Upload) {
  return upload.state === 'completed' ? upload : undefined;
}
