import type { FailedUpload } from './close-uploads.ts';
import type { ClientDeletionPlan, OrganisationDeletionPlan, UploadTotals } from './deletion.ts';
import type { Deployment } from './deployment/deployment.ts';
import { type NextStep, OperationError } from './errors.ts';
import type { File } from './files.ts';
import { counted, formatBytes, printable, quoted } from './text.ts';

// What a deletion will do, in the sentences that people confirm, and what it could not do.

export function describeClientDeletion({ client, outstanding }: ClientDeletionPlan): string {
  const { client_id, name, organisation_id, secrets } = client;
  return (
    `This deletes the client ${quoted(client_id)} (${printable(name)}) of organisation ${quoted(organisation_id)}: ` +
    `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}.`
  );
}

/** What a deletion of a client leaves. */
export const clientDeletionNote = 'Tokens already issued work until they expire.';

export function describeFileDeletion({ file_id, organisation_id }: File, totals: UploadTotals): string {
  return `This deletes the file ${quoted(file_id)} of organisation ${quoted(organisation_id)}: ${describeTotals(totals)}.`;
}

export function describeOrganisationDeletion({
  organisationId,
  clients,
  files,
  totals,
}: OrganisationDeletionPlan): string {
  return (
    `This deletes everything of organisation ${quoted(organisationId)}: ${counted(clients, 'client')}, ` +
    `${counted(files, 'file')}, ${describeTotals(totals)}.`
  );
}

function describeTotals({ uploads, outstanding, bytes, partial }: UploadTotals): string {
  return `${partial ? 'at least ' : ''}${counted(uploads, 'upload')} with ${formatBytes(bytes)} of content, and ${describeUrls(outstanding)}`;
}

function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}

/** That a deletion is final, and when its records go. */
export function describeRetention({ SupersededRetentionDays }: Deployment['outputs']): string {
  const kept = counted(Number(SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes what was deleted after ${kept}.`;
}

/**
 * @throws {OperationError} when something is left to delete
 */
export function requireAllDeleted(failed: readonly FailedUpload[], again: NextStep): void {
  if (failed.length > 0) {
    throw new OperationError(
      'failed',
      `${counted(failed.length, 'upload')} could not be deleted, so the deletion is not complete. ` +
        'Fix the cause, and delete again.',
      again,
    );
  }
}
