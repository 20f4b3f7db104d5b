import { maximumUploadUrlLifetimeSeconds } from '../../../contract/limits.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { updateClientDeleteAfter, updateToDeletedClient } from '../../../storage/client.ts';
import { tryToCancel } from '../cancel-upload.ts';
import { type Client, clientOf, getClient } from '../clients.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf } from '../errors.ts';
import { longestPutMilliseconds } from '../outstanding-uploads.ts';
import type { Pages } from '../pages.ts';
import { notFound, updateItem } from '../tables.ts';
import { listUploads, type Upload } from '../uploads.ts';
import type { NotDeleted } from './delete-uploads.ts';
import { isOpen } from './plan.ts';
import { type DeletionOptions, endOfRetention } from './retention.ts';

/** The client after a deletion, and what became of its outstanding upload URLs. */
export interface ClientDeleted {
  readonly client: Client;
  readonly cancelled: number;
  /** With any, the client has no end yet: the deletion must be repeated. */
  readonly failed: readonly NotDeleted[];
}

/**
 * Deletes a client: no token from now on, then no upload URL, then its record gets its end. It can be repeated after a
 * crash at any point. Repeated later, it ends URLs that a token issued before has asked for since.
 *
 * @throws {CommandError} when there is no such client
 */
export async function deleteClient(
  deployment: Deployment,
  clientId: string,
  options: DeletionOptions,
): Promise<ClientDeleted> {
  const client = await markClientDeleted(deployment, clientId, options.now());
  const { cancelled, failed } = await cancelUploads(deployment, client, options);
  return failed.length > 0
    ? { client, cancelled, failed }
    : { client: await finishClient(deployment, client, options.now()), cancelled, failed };
}

/** @throws {CommandError} when there is no such client */
export async function markClientDeleted(
  deployment: Deployment,
  clientId: string,
  now: number,
): Promise<Client> {
  const update = updateToDeletedClient(clientId, timestamp(new Date(now)));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  if (item === 'refused') {
    throw notFound('client', clientId);
  }
  return clientOf(item);
}

/** Lets the record of a deleted client go. A repeated deletion does not put that off. */
export async function finishClient(deployment: Deployment, client: Client, now: number): Promise<Client> {
  if (client.delete_after !== undefined) {
    return client;
  }
  const update = updateClientDeleteAfter(client.client_id, endOfRetention(deployment, now));
  const item = await updateItem(deployment, 'ClientsTableName', update);
  return item === 'refused' ? client : clientOf(item);
}

async function cancelUploads(deployment: Deployment, client: Client, options: DeletionOptions) {
  const failed: NotDeleted[] = [];
  let cancelled = 0;
  for await (const page of openUploads(deployment, client, options.now())) {
    for (const { upload_id } of page) {
      try {
        const { outcome } = await tryToCancel(deployment, upload_id);
        cancelled += outcome === 'cancelled' ? 1 : 0;
        if (outcome === 'busy') {
          failed.push({ upload_id, reason: 'an upload to its URL is in progress' });
        }
      } catch (error) {
        failed.push({ upload_id, reason: messageOf(explainAwsError(error)) });
      }
      options.progress(cancelled);
    }
  }
  return { cancelled, failed };
}

/** What the deletion of a client would end. */
export interface ClientDeletionPlan {
  readonly client: Client;
  /** Upload URLs through which bytes may still arrive. */
  readonly outstanding: number;
}

/** @throws {CommandError} when there is no such client */
export async function planClientDeletion(
  deployment: Deployment,
  clientId: string,
  now: number,
): Promise<ClientDeletionPlan> {
  const client = await getClient(deployment, clientId);
  let outstanding = 0;
  for await (const page of openUploads(deployment, client, now)) {
    outstanding += page.length;
  }
  return { client, outstanding };
}

/** The uploads of a client through which bytes may still arrive. */
export async function* openUploads(
  deployment: Deployment,
  { client_id, organisation_id }: Pick<Client, 'client_id' | 'organisation_id'>,
  now: number,
): Pages<Upload> {
  const oldest = now - maximumUploadUrlLifetimeSeconds * 1000 - longestPutMilliseconds;
  const since = timestamp(new Date(oldest));
  const selection = { organisationId: organisation_id, clientId: client_id, since };
  for await (const page of listUploads(deployment, selection)) {
    yield page.filter((upload) => isOpen(upload, now));
  }
}
