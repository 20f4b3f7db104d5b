import { getClient } from '../../../operator/clients/client.ts';
import { uploadFields } from '../../../operator/description/csv.ts';
import { parseTime } from '../../../operator/parse-input.ts';
import {
  listUploads,
  readUploads,
  type UploadSelection,
  uploadStates,
} from '../../../operator/uploads/upload.ts';
import { clockOf, toUtc } from '../../http/clock.ts';
import type { PageContext } from '../../http/environment.ts';
import { listPages } from '../shared/list-pages.tsx';
import { uploadColumns } from './upload-parts.tsx';

/** The list of uploads. */
export const uploadList = listPages({
  name: 'uploads',
  noun: 'upload',
  title: 'Uploads',
  columns: uploadColumns,
  filters: [
    { name: 'status', label: 'Status', options: uploadStates },
    { name: 'since', label: 'Issued from', options: ['24h', '7d', '30d'], any: 'any time', isText: true },
    { name: 'until', label: 'Issued before' },
    { name: 'file', label: 'File ID' },
    { name: 'client', label: 'Client ID' },
    { name: 'organisation', label: 'Organisation' },
    { name: 'request', label: 'Request ID' },
  ],
  help: 'A time is 2026-01-31T12:00 as this page shows times, or 2h or 7d before now.',
  select: selectUploads,
  read: readUploads,
  all: listUploads,
  csv: uploadFields,
  about: 'An upload begins when a client asks for an upload URL of a file. It appears here by itself.',
  isLive: true,
});

async function selectUploads(
  c: PageContext,
  given: Readonly<Record<string, string | undefined>>,
): Promise<UploadSelection> {
  const { deployment, now } = c.var.console;
  const { status, file, client, organisation, request } = given;
  const timeOf = (name: 'since' | 'until', label: string) =>
    given[name] === undefined ? undefined : parseTime(toUtc(given[name], clockOf(c)), label, new Date(now()));
  const ofClient = client === undefined ? undefined : await getClient(deployment, client);
  return {
    state: uploadStates.find((known) => known === status),
    fileId: file,
    // A client has one organisation, by which there is an index.
    organisationId: organisation ?? ofClient?.organisation_id,
    clientId: client,
    requestId: request,
    since: timeOf('since', '"Issued from"'),
    until: timeOf('until', '"Issued before"'),
  };
}
