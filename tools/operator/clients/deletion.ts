import { type StoredSecret, updateToUndeletedClient } from '../../../storage/client.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import {
  beginUndo,
  changeDeleted,
  finishDeletion,
  markDeleted,
  planDeletion,
} from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type ActionContext, entityView, type Plan } from '../description/action.ts';
import { inUndeletedOrganisation } from '../organisations/create.ts';
import { counted, printable, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { countOutstanding, describeUrls } from '../uploads/outstanding.ts';
import { type Client, type ClientWithSecret, clientOf, getClient, withNewSecret } from './client.ts';
import { clients } from './fields.ts';

/**
 * Counts the data of a client, and plans its deletion: first the client gets no more tokens, then its upload
 * URLs are cancelled, then its record gets a time after which DynamoDB removes it. Repeat the deletion later
 * to cancel the upload URLs that an old token got in between.
 *
 * @throws {OperationError} when there is no such client. The plan fails when a URL may still work
 */
export async function planClientDeletion({ deployment }: ActionContext, id: string): Promise<Plan> {
  const { organisation_id: organisation, name, secrets } = await getClient(deployment, id);
  const selection = { organisation, client: id };
  const { outstanding } = await countOutstanding(deployment, selection);
  return planDeletion(deployment, {
    kind: 'client',
    id,
    erases: false,
    about:
      `the client ${quoted(id)} (${printable(name)}) of organisation ${quoted(organisation)}: ` +
      `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}. Tokens already issued work until they ` +
      'expire: delete the client again after that, to cancel upload URLs that these tokens got.',
    run: async (context) => {
      await markDeleted(deployment, 'client', id);
      const report = await cancelOutstanding(context, selection);
      const client = clientOf(await finishDeletion(deployment, 'client', id));
      return {
        message: `The client was deleted. ${counted(report.cancelled, 'upload URL')} cancelled.`,
        view: entityView(clients, client, { ...client, ...report }),
        end: client.delete_after,
      };
    },
  });
}

/**
 * Undoes the deletion of a client, and creates one secret.
 *
 * @throws {OperationError} when the client is not deleted, its record has ended, or its organisation is deleted
 */
export async function undeleteClient(deployment: Deployment, clientId: string): Promise<ClientWithSecret> {
  const deleted = await getClient(deployment, clientId);
  return inUndeletedOrganisation(deployment, 'client', clientId, deleted, () =>
    withNewSecret(deployment, undefined, (secret) => restoreClient(deployment, deleted, [secret])),
  );
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
