import { randomBytes } from 'node:crypto';
import { type StoredSecret, updateToUndeletedClient } from '../../../storage/client.ts';
import { newClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { updateItem } from '../deployment/items.ts';
import { cannotUndo, inUndeletedOrganisation } from '../organisations/undo.ts';
import { type Client, type ClientWithSecret, clientOf, getStoredClient } from './client.ts';
import { markClientDeleted } from './delete.ts';

/**
 * Undoes the deletion of a client, and creates one secret.
 *
 * @throws {OperationError} when the client is not deleted, its record has ended, or its organisation is deleted
 */
export async function undeleteClient(deployment: Deployment, clientId: string): Promise<ClientWithSecret> {
  const { value, stored } = newClientSecret(timeOf(deployment), randomBytes);
  const client = await inUndeletedOrganisation(
    deployment,
    await getStoredClient(deployment, clientId),
    () => restoreClient(deployment, clientId, [stored]),
    () => markClientDeleted({ deployment }, clientId),
  );
  return { ...client, client_secret: value, secret_id: stored.secret_id };
}

/**
 * Restores a deleted client with these secrets. One write does so: nothing is left to repeat after a crash.
 *
 * @throws {OperationError} when the client is not deleted, or its record has ended
 */
export async function restoreClient(
  deployment: Deployment,
  clientId: string,
  secrets: readonly StoredSecret[],
): Promise<Client> {
  const client = await getStoredClient(deployment, clientId);
  const update = updateToUndeletedClient(client, secrets, timeOf(deployment));
  const item = client.deleted_at === undefined ? 'rejected' : await updateItem(deployment, 'client', update);
  if (item === 'rejected') {
    throw cannotUndo('client', clientId, client);
  }
  return clientOf(item);
}
