import type { Revocation } from '../../../storage/signing-keys.ts';
import type { Client, ClientSecret, ClientWithSecret } from '../../operator/clients.ts';
import type { File } from '../../operator/files.ts';
import type { SigningKey } from '../../operator/signing-keys.ts';
import { formatBytes, formatSize } from '../../operator/text.ts';
import type { Upload } from '../../operator/uploads.ts';
import { note, type Output, showOne } from '../../terminal/output.ts';
import type { Column } from '../../terminal/table.ts';
import type { Download } from '../download/download-file.ts';

/** The columns of lists and the details of single results, for people. `--json` prints the objects themselves. */

/** A column of a list, and the option of the list that makes it the same in every row. */
export interface ListColumn<Row> extends Column<Row> {
  readonly repeats?: 'organisation' | 'client' | 'file' | 'status';
}

/** The columns without those that repeat what the list was filtered by. */
export function withoutRepeated<Row>(
  columns: readonly ListColumn<Row>[],
  filters: { readonly [Name in NonNullable<ListColumn<Row>['repeats']>]?: string },
): readonly ListColumn<Row>[] {
  return columns.filter(({ repeats }) => repeats === undefined || filters[repeats] === undefined);
}

type Details = readonly (readonly [string, string | undefined])[];

export const clientColumns: readonly ListColumn<Client>[] = [
  { heading: 'CLIENT ID', value: (client) => client.client_id },
  { heading: 'STATUS', value: statusText, repeats: 'status' },
  {
    heading: 'ORGANISATION',
    value: (client) => client.organisation_id,
    repeats: 'organisation',
  },
  { heading: 'NAME', value: (client) => client.name },
  { heading: 'SCOPES', value: (client) => client.scopes.join(' ') },
  { heading: 'CREATED', value: (client) => shortTime(client.created_at) },
];

export function clientDetails(client: Client): Details {
  return [
    ['Client ID', client.client_id],
    ['Organisation', client.organisation_id],
    ['Name', client.name],
    ['Scopes', client.scopes.join(' ')],
    ['Status', statusText(client)],
    ['Created', client.created_at],
    ['Revoked', client.revoked_at],
    ...deletionDetails(client),
    ...client.secrets.map((secret) => ['Secret ID', describeSecret(secret)] as const),
  ];
}

function statusText({ status, deleted_at }: Client): string {
  return deleted_at === undefined ? status : 'deleted';
}

function describeSecret({ secret_id, created_at, ends_at }: ClientSecret): string {
  return `${secret_id}, created ${created_at}, ${ends_at === undefined ? 'no end' : `ends ${ends_at}`}`;
}

/** Shows a client with a secret that was just created, and warns that the secret cannot be shown again. */
export function showClientWithSecret(output: Output, client: ClientWithSecret): void {
  showOne(output, client, (shown) => [...clientDetails(shown), ['Client secret', shown.client_secret]]);
  if (!output.json) {
    note(output, 'Save the client secret now. It cannot be shown again: only its digest is stored.');
  }
}

// A narrow terminal cuts off what is at the end. Scripts read --csv and --json.

export const fileColumns: readonly ListColumn<File>[] = [
  { heading: 'FILE ID', value: (file) => file.file_id },
  { heading: 'SYNC', value: syncText, repeats: 'status' },
  {
    heading: 'SIZE',
    value: (file) => (file.content ? formatBytes(file.content.size) : '-'),
    align: 'right',
  },
  { heading: 'NAME', value: (file) => file.name },
  {
    heading: 'CONTENT OF',
    value: (file) => (file.content ? shortTime(file.content.completed_at) : '-'),
  },
  { heading: 'CREATED', value: (file) => shortTime(file.created_at) },
  { heading: 'ORGANISATION', value: (file) => file.organisation_id, repeats: 'organisation' },
];

/** A file, with what S3 says about its content. */
export interface ShownFile extends File {
  readonly content?: NonNullable<File['content']> & TypedContent;
}

/** The Content-Type that the client sent with the upload, where it was asked for. */
interface TypedContent {
  readonly content_type?: string;
}

export function fileDetails(file: ShownFile): Details {
  return [
    ['File ID', file.file_id],
    ['Organisation', file.organisation_id],
    ['Name', file.name],
    ['Sync', syncText(file)],
    ['Created', file.created_at],
    ['Updated', file.updated_at],
    ...deletionDetails(file),
    ...contentDetails(file.content),
  ];
}

function deletionDetails({
  deleted_at,
  delete_after,
}: {
  readonly deleted_at?: string;
  readonly delete_after?: string;
}): Details {
  return [
    ['Deleted', deleted_at],
    ['Kept until', delete_after],
  ];
}

function contentDetails(content: ShownFile['content']): Details {
  if (content === undefined) {
    return [['Content', 'none yet']];
  }
  return [
    ['Content', `${formatSize(content.size)}, completed ${content.completed_at}`],
    ['  Upload', content.upload_id],
    ['  Key', content.key],
    ['  Version', content.version_id],
    ['  ETag', content.etag],
    ['  CRC64NVME', content.checksum_crc64nvme],
    ['  Type', content.content_type],
  ];
}

export function downloadDetails(download: Download): Details {
  return [
    ['File ID', download.file_id],
    ['Upload', download.upload_id],
    ['Written to', download.output],
    ['Size', formatSize(download.size)],
    ['ETag', `${download.etag}, verified`],
    ['CRC64NVME', download.checksum_crc64nvme && `${download.checksum_crc64nvme}, verified`],
    ['Type', download.content_type],
  ];
}

function syncText(file: File): string {
  if (file.deleted_at !== undefined) {
    return 'deleted';
  }
  return file.sync_enabled ? 'enabled' : 'not enabled';
}

export const uploadColumns: readonly ListColumn<Upload>[] = [
  { heading: 'UPLOAD ID', value: (upload) => upload.upload_id },
  { heading: 'STATE', value: (upload) => upload.state, repeats: 'status' },
  { heading: 'FILE ID', value: (upload) => upload.file_id, repeats: 'file' },
  { heading: 'ISSUED', value: (upload) => shortTime(upload.issued_at) },
  { heading: 'ENDED', value: (upload) => shortTime(endOf(upload) ?? '-') },
  {
    heading: 'SIZE',
    value: (upload) => (upload.state === 'completed' ? formatBytes(upload.size) : '-'),
    align: 'right',
  },
  { heading: 'CLIENT ID', value: (upload) => upload.client_id, repeats: 'client' },
  {
    heading: 'ORGANISATION',
    value: (upload) => upload.organisation_id,
    repeats: 'organisation',
  },
];

function endOf(upload: Upload): string | undefined {
  switch (upload.state) {
    case 'completed':
      return upload.completed_at;
    case 'cancelled':
      return upload.cancelled_at;
    case 'expired':
      return upload.expires_at;
    case 'issued':
      return undefined;
  }
}

export function uploadDetails(upload: Upload & TypedContent): Details {
  return [
    ['Upload ID', upload.upload_id],
    ['File ID', upload.file_id],
    ['Organisation', upload.organisation_id],
    ['Client ID', upload.client_id],
    ['State', upload.state],
    ['Issued', upload.issued_at],
    ['Expires', upload.expires_at],
    ['Request ID', upload.request_id],
    ['Key', upload.key],
    ...endDetails(upload),
    ['Type', upload.content_type],
    ...deletionDetails(upload),
  ];
}

function endDetails(upload: Upload): Details {
  if (upload.state === 'cancelled') {
    return [['Cancelled', upload.cancelled_at]];
  }
  if (upload.state !== 'completed') {
    return [['Found unused', upload.expired_at]];
  }
  return [
    ['Completed', upload.completed_at],
    ['Size', formatSize(upload.size)],
    ['ETag', upload.etag],
    ['CRC64NVME', upload.checksum_crc64nvme],
    ['Version', upload.version_id],
    ['Superseded', upload.superseded_at],
  ];
}

export const signingKeyColumns: readonly Column<SigningKey>[] = [
  { heading: 'KID', value: (key) => key.kid },
  { heading: 'ALGORITHM', value: (key) => key.algorithm },
  { heading: 'STATE', value: (key) => key.state },
  { heading: 'SIGNS', value: (key) => (key.signs ? 'yes' : '-') },
  { heading: 'SINCE', value: (key) => shortTime(key.since) },
  { heading: 'UNTIL', value: (key) => shortTime(key.until ?? '-') },
];

export function revocationDetails(revocation: Revocation): Details {
  return [
    ['Revoked', `${revocation.kid} at ${revocation.revoked_at}`],
    ['Signs now', revocation.signing_kid],
    ['Its old tokens', `refused by the service from ${revocation.rejected_from}`],
    ['', `refused by clients that verify tokens themselves from ${revocation.rejected_by_clients_from}`],
    ['', `would have expired by ${revocation.tokens_until}`],
  ];
}

export const revocationColumns: readonly Column<Revocation>[] = [
  { heading: 'KID', value: (revocation) => revocation.kid },
  { heading: 'REVOKED', value: (revocation) => shortTime(revocation.revoked_at) },
  { heading: 'REFUSED FROM', value: (revocation) => shortTime(revocation.rejected_from) },
  { heading: 'BY CLIENTS FROM', value: (revocation) => shortTime(revocation.rejected_by_clients_from) },
];

/** Drops the milliseconds, which tables do not need. */
function shortTime(time: string): string {
  return time.replace(/\.\d{3}Z$/, 'Z');
}
