import type { Deployment } from '../../deployment/deployment.ts';
import { counted, formatBytes, printable, quoted } from '../../text.ts';
import type { ClientDeletionPlan } from './delete-client.ts';
import type { UploadTotals } from './plan.ts';

// What a deletion will do, in the sentences that people confirm.

export function describeClientDeletion({ client, outstanding }: ClientDeletionPlan): string {
  const { client_id, name, organisation_id, secrets } = client;
  return (
    `This deletes the client ${quoted(client_id)} (${printable(name)}) of organisation ${quoted(organisation_id)}: ` +
    `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}.`
  );
}

/** What a deletion of a client leaves. */
export const clientDeletionNote = 'Tokens already issued work until they expire.';

export function describeTotals({ uploads, outstanding, bytes }: UploadTotals): string {
  return `${counted(uploads, 'upload')} with ${formatBytes(bytes)} of content, and ${describeUrls(outstanding)}`;
}

function describeUrls(outstanding: number): string {
  return `${counted(outstanding, 'upload URL')} through which bytes may still arrive`;
}

/** That a deletion is final, and when its records go. */
export function describeRetention({ SupersededRetentionDays }: Deployment['outputs']): string {
  const kept = counted(Number(SupersededRetentionDays), 'day');
  return `This cannot be undone. AWS removes what was deleted after ${kept}.`;
}
