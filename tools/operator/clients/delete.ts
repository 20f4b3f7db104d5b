import { timestamp } from '../../../storage/attributes.ts';
import { updateClientDeleteAfter, updateToDeletedClient } from '../../../storage/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { updateItem } from '../deployment/items.ts';
import { describeRetention, endOfRetention } from '../deployment/retention.ts';
import { one, type Plan, type Work } from '../description/action.ts';
import { allOf } from '../lists/list.ts';
import { notFound } from '../sought-text.ts';
import { counted, printable, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { describeUrls } from '../uploads/count.ts';
import type { WorkReport } from '../uploads/each-upload.ts';
import { outstandingUploads } from '../uploads/outstanding.ts';
import type { UploadSelection } from '../uploads/upload.ts';
import { type Client, clientOf, getClient } from './client.ts';
import { clients } from './fields.ts';

/**
 * Counts what the deletion of a client would remove, and plans the deletion.
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
      `expire: delete the client again after that, to cancel upload URLs that these tokens got. ${describeRetention(deployment)}`,
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
 * Deletes a client: first the client gets no more tokens, then its upload URLs are cancelled, then its record gets a time
 * after which DynamoDB removes it. A later repeat cancels the upload URLs that an old token got in between.
 *
 * @param expected about so many URLs are cancelled
 * @throws {OperationError} when there is no such client, or a URL may still work
 */
export async function deleteClient(
  work: Work,
  clientId: string,
  expected: number,
): Promise<Client & WorkReport> {
  const { deployment, now } = work;
  const client = await markClientDeleted(deployment, clientId, now());
  const report = await cancelOutstanding(work, uploadsOf(client), expected);
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

/** Lets DynamoDB remove the record of a deleted client. @param now milliseconds since the epoch */
export async function finishClient(deployment: Deployment, client: Client, now: number): Promise<Client> {
  const update = updateClientDeleteAfter(client.client_id, endOfRetention(deployment, now));
  const item = await updateItem(deployment, 'client', update);
  return item === 'refused' ? client : clientOf(item);
}
