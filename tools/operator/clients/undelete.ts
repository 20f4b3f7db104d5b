import { randomBytes } from 'node:crypto';
import { type StoredSecret, updateToUndeletedClient } from '../../../storage/client.ts';
import { newClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { beginUndo, changeDeleted } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inUndeletedOrganisation } from '../organisations/undo.ts';
import { type Client, type ClientWithSecret, clientOf, getClient } from './client.ts';

/**
 * Undoes the deletion of a client, and creates one secret.
 *
 * @throws {OperationError} when the client is not deleted, its record has ended, or its organisation is deleted
 */
export async function undeleteClient(deployment: Deployment, clientId: string): Promise<ClientWithSecret> {
  const { value, stored } = newClientSecret(timeOf(deployment), randomBytes);
  const deleted = await getClient(deployment, clientId);
  const client = await inUndeletedOrganisation(deployment, 'client', clientId, deleted, () =>
    restoreClient(deployment, deleted, [stored]),
  );
  return { ...client, client_secret: value, secret_id: stored.secret_id };
}

/**
 * Restores a deleted client with these secrets. A repeat is safe after a crash at any point.
 *
 * @throws {OperationError} when the client is not deleted, its record has ended, or it is deleted again
 */
export async function restoreClient(
  deployment: Deployment,
  deleted: Client,
  secrets: readonly StoredSecret[],
): Promise<Client> {
  const { client_id: id } = deleted;
  const at = timeOf(deployment);
  await beginUndo(deployment, 'client', id, deleted, at);
  const update = updateToUndeletedClient(deleted, at, secrets);
  return clientOf(await changeDeleted(deployment, 'client', id, update));
}
