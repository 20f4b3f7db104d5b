import { getClient } from '../../../operator/clients.ts';
import { UsageError } from '../../../operator/errors.ts';
import { getFile } from '../../../operator/files.ts';
import { uploadFields } from '../../../operator/list-csv.ts';
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

/** An empty list for an unknown file or client would look as if nothing had been uploaded, so these are looked up. */
async function selectUploads(
  c: PageContext,
  given: Readonly<Record<string, string | undefined>>,
): Promise<UploadSelection> {
  const { deployment, now } = c.var.console;
  const { status, file, client, organisation, request } = given;
  const timeOf = (name: 'since' | 'until', label: string) =>
    given[name] === undefined ? undefined : parseTime(given[name], label, new Date(now()));
  const [since, until] = [timeOf('since', '"Issued from"'), timeOf('until', '"Issued before"')];
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError('Choose an end after the beginning.');
  }
  const ofFile = file === undefined ? undefined : await getFile(deployment, file);
  const ofClient = client === undefined ? undefined : await getClient(deployment, client);
  if (organisation !== undefined && ofFile !== undefined && ofFile.organisation_id !== organisation) {
    throw new UsageError('This file is of another organisation. Clear one of the two filters.');
  }
  return {
    state: uploadStates.find((known) => known === status),
    fileId: file,
    // A client has one organisation, by which there is an index.
    organisationId: organisation ?? ofClient?.organisation_id,
    clientId: client,
    requestId: request,
    since,
    until,
  };
}
