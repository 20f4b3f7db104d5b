import { getClient } from '../../../operator/clients.ts';
import { uploadFields } from '../../../operator/csv.ts';
import { parseTime } from '../../../operator/parse-input.ts';
import { listUploads, readUploads, type UploadSelection, uploadStates } from '../../../operator/uploads.ts';
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
    { name: 'file', label: 'File ID' },
    { name: 'client', label: 'Client ID' },
    { name: 'organisation', label: 'Organisation' },
    { name: 'request', label: 'Request ID' },
    { name: 'since', label: 'Issued from (UTC)', placeholder: '2h, or 2026-01-31T12:00' },
    { name: 'until', label: 'Issued before (UTC)', placeholder: '1h, or 2026-01-31' },
  ],
  select: selectUploads,
  read: readUploads,
  all: listUploads,
  csv: uploadFields,
  about: 'An upload begins when a client asks for an upload URL of a file. It appears here by itself.',
  isLive: true,
  more: (
    <p>
      <a href="/uploads/replay">Events in the dead-letter queue</a>
    </p>
  ),
});

async function selectUploads(
  c: PageContext,
  given: Readonly<Record<string, string | undefined>>,
): Promise<UploadSelection> {
  const { deployment, now } = c.var.console;
  const { status, file, client, organisation, request } = given;
  const timeOf = (name: 'since' | 'until', label: string) =>
    given[name] === undefined ? undefined : parseTime(given[name], label, new Date(now()));
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
