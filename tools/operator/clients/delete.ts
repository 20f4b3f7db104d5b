import { timestamp } from '../../../storage/attributes.ts';
import { updateClientDeleteAfter, updateToDeletedClient } from '../../../storage/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { notFound, updateItem } from '../deployment/items.ts';
import { describeRetention, endOfRetention } from '../deployment/retention.ts';
import { one, type Plan, type Work } from '../description/action.ts';
import { allOf } from '../lists/list.ts';
import { counted, printable, quoted } from '../text.ts';
import { cancelUnused } from '../uploads/cancel.ts';
import { describeUrls } from '../uploads/count.ts';
import { forEachUpload, type WorkReport } from '../uploads/each-upload.ts';
import { outstandingUploads } from '../uploads/outstanding.ts';
import type { UploadSelection } from '../uploads/upload.ts';
import { type Client, clientOf, getClient } from './client.ts';
import { clients } from './fields.ts';

/**
 * Looks into the deletion of a client.
 *
 * @throws {OperationError} when there is no such client
 */
export async function planClientDeletion({ deployment, now }: Work, clientId: string): Promise<Plan> {
  const client = await getClient(deployment, clientId);
  const { organisation_id, name, secrets } = client;
  const { length: outstanding } = await allOf(outstandingUploads(deployment, uploadsOf(client), now()));
  return {
    question:
      `This deletes the client ${quoted(clientId)} (${printable(name)}) of organisation ${quoted(organisation_id)}: ` +
      `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}. Tokens already issued work until they ` +
      `expire: delete it again then, to cancel URLs that were asked for with them. ${describeRetention(deployment)}`,
    run: async (work) => {
      const deleted = await deleteClient(work, clientId, outstanding);
      return {
        says: `The client was deleted. ${counted(deleted.cancelled, 'upload URL')} cancelled.`,
        shows: one(clients, deleted),
      };
    },
  };
}

function uploadsOf({ client_id, organisation_id }: Client): UploadSelection {
  return { organisationId: organisation_id, clientId: client_id };
}

/**
 * Deletes a client: no token from now on, then no upload URL, then its record gets its end. Repeated later, it cancels URLs
 * that a token issued before has asked for since.
 *
 * @param expected about so many URLs are cancelled
 * @throws {OperationError} when there is no such client, or a URL may still work
 */
export async function deleteClient(
  { deployment, now, progress }: Work,
  clientId: string,
  expected: number,
): Promise<Client & WorkReport> {
  const client = await markClientDeleted(deployment, clientId, now());
  const report = await forEachUpload(
    outstandingUploads(deployment, uploadsOf(client), now()),
    (done) => progress(`Deleting: ${done} of ${counted(Math.max(done, expected), 'upload')}.`),
    (upload) => cancelUnused(deployment, upload),
  );
  return { ...(await finishClient(deployment, client, now())), ...report };
}

/** Revokes a client for ever, and removes its secrets. @param now milliseconds since the epoch */
export async function markClientDeleted(
  deployment: Deployment,
  clientId: string,
  now: number,
): Promise<Client> {
  const update = updateToDeletedClient(clientId, timestamp(new Date(now)));
  const item = await updateItem(deployment, 'client', update);
  if (item === 'refused') {
    throw notFound('client', clientId);
  }
  return clientOf(item);
}

/** Lets the record of a deleted client go. @param now milliseconds since the epoch */
export async function finishClient(deployment: Deployment, client: Client, now: number): Promise<Client> {
  const update = updateClientDeleteAfter(client.client_id, endOfRetention(deployment, now));
  const item = await updateItem(deployment, 'client', update);
  return item === 'refused' ? client : clientOf(item);
}
