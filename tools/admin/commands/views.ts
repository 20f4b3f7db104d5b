import type { Client, ClientWithSecret } from '../../operator/clients/client.ts';
import { attributeOf } from '../../operator/description/csv.ts';
import { formatBytes, formatSize } from '../../operator/text.ts';
import { note, type Output, showOne } from '../../terminal/output.ts';
import type { Column } from '../../terminal/table.ts';

// What people see of an object. --json prints the object itself.

/** How attributes are called, in the order in which the details of one object are shown. */
const labels: Readonly<Record<string, string>> = {
  upload_id: 'Upload ID',
  file_id: 'File ID',
  client_id: 'Client ID',
  organisation_id: 'Organisation',
  kid: 'Kid',
  kind: 'Kind',
  id: 'Id',
  name: 'Name',
  scopes: 'Scopes',
  status: 'Status',
  sync: 'Sync',
  state: 'State',
  created_at: 'Created',
  updated_at: 'Updated',
  issued_at: 'Issued',
  expires_at: 'Expires',
  request_id: 'Request ID',
  requested_from: 'Asked from',
  uploaded_from: 'Sent from',
  cancelled_at: 'Cancelled',
  expired_at: 'Found unused',
  completed_at: 'Completed',
  output: 'Written to',
  size: 'Size',
  etag: 'ETag',
  checksum_crc64nvme: 'CRC64NVME',
  key: 'Key',
  version_id: 'Version',
  content_type: 'Type',
  superseded_at: 'Superseded',
  revoked_at: 'Revoked',
  signing_kid: 'Signs now',
  rejected_from: 'Old tokens are refused from',
  rejected_by_clients_from: 'By clients that verify them, from',
  tokens_until: 'They would have expired by',
  clients: 'Clients',
  files: 'Files',
  uploads: 'Uploads',
  cancelled: 'URLs ended',
  deleted_at: 'Deleted',
  delete_after: 'Kept until',
  content: 'Content',
  secret: 'Secret ID',
  client_secret: 'Client secret',
};

type Details = readonly (readonly [string, string])[];

/** The details of one object: each of its attributes that has a label. */
export function details(shown: object): Details {
  return Object.entries(labels).flatMap(([name, label]): Details => {
    const value = shownValue(shown, name);
    if (name === 'content' && typeof value === 'object' && value !== null) {
      return [[label, ''], ...details(value).map(([inner, text]) => [`  ${inner}`, text] as const)];
    }
    const values = Array.isArray(value) && name === 'secret' ? value : [value];
    return values.flatMap((one) => (one === undefined ? [] : [[label, textOf(name, one, formatSize)]]));
  });
}

/** The value of an attribute for people. Some are shown in other words than they are stored. */
function shownValue(shown: object, name: string): unknown {
  const of = (attribute: string) => attributeOf(shown, attribute);
  const isDeleted = of('deleted_at') !== undefined;
  switch (name) {
    case 'status':
      return of(name) !== undefined && isDeleted ? 'deleted' : of(name);
    case 'sync':
      return of('sync_enabled') === undefined ? undefined : syncText(isDeleted, of('sync_enabled') === true);
    case 'content':
      return of(name) ?? (of('sync_enabled') === undefined ? undefined : 'none yet');
    case 'secret':
      return Array.isArray(of('secrets')) ? (of('secrets') as Client['secrets']).map(secretText) : undefined;
    case 'uploads':
      return typeof of(name) === 'number' ? of(name) : undefined;
    case 'ended':
      return (
        of('completed_at') ?? of('cancelled_at') ?? (of('state') === 'expired' ? of('expires_at') : undefined)
      );
    default:
      return of(name);
  }
}

function syncText(isDeleted: boolean, isEnabled: boolean): string {
  if (isDeleted) {
    return 'deleted';
  }
  return isEnabled ? 'enabled' : 'not enabled';
}

function secretText({ secret_id, created_at, ends_at }: Client['secrets'][number]): string {
  return `${secret_id}, created ${created_at}, ${ends_at === undefined ? 'no end' : `ends ${ends_at}`}`;
}

function textOf(name: string, value: unknown, sizeText: (bytes: number) => string): string {
  if (name.endsWith('size')) {
    return sizeText(Number(value));
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : '-';
  }
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** Shows a client with a secret that was just created, and the lines that set an application or the upload command up. */
export function showClientWithSecret(output: Output, client: ClientWithSecret, baseUrl: string): void {
  showOne(output, client, details);
  if (output.json) {
    return;
  }
  const variables = { BASE_URL: baseUrl, CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret };
  const lines = Object.entries(variables).map(([name, value]) => `export FILE_SYNC_${name}=${value}\n`);
  output.stdout.write(`\n${lines.join('')}`);
  note(output, 'Save the client secret now. It cannot be shown again: only its digest is stored.');
  note(output, 'To upload, set FILE_SYNC_FILE_ID too: to the id of a file of its organisation.');
}

/** Columns by the names of attributes. A time has no milliseconds in a table, and a size no exact number of bytes. */
function columnsOf(names: string): readonly Column<object>[] {
  return names.split(' ').map((name) => ({
    heading: (headings[name] ?? labels[name] ?? name).toUpperCase(),
    value: (row) => {
      const value = shownValue(row, name);
      return value === undefined ? '-' : textOf(name, value, formatBytes).replace(/\.\d{3}Z$/, 'Z');
    },
    ...(name.endsWith('size') && { align: 'right' }),
  }));
}

const headings: Readonly<Record<string, string>> = {
  content_size: 'Size',
  content_completed_at: 'Content of',
  rejected_from: 'Refused from',
  rejected_by_clients_from: 'By clients from',
};

// A narrow terminal cuts off what is at the end. Scripts read --csv and --json.

export const clientColumns = columnsOf('client_id status organisation_id name scopes created_at');

export const fileColumns = columnsOf(
  'file_id sync content_size name content_completed_at created_at organisation_id',
);

export const uploadColumns = columnsOf(
  'upload_id state file_id issued_at ended superseded_at size client_id organisation_id',
);

export const hitColumns = columnsOf('kind id name');

export const signingKeyColumns = columnsOf('kid algorithm state signs since until');

export const revocationColumns = columnsOf('kid revoked_at rejected_from rejected_by_clients_from');
