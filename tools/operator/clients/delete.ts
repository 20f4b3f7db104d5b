import { updateDeleteAfter } from '../../../storage/attributes.ts';
import { updateToDeletedClient } from '../../../storage/client.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { changeDeleted, changeItem, keyOf } from '../deployment/items.ts';
import { describeRetention, endOfRetention, undoStep } from '../deployment/retention.ts';
import { type ActionContext, entityView, type Plan } from '../description/action.ts';
import { allOf } from '../lists/read.ts';
import { counted, printable, quoted } from '../text.ts';
import { cancelOutstanding } from '../uploads/cancel.ts';
import { describeUrls } from '../uploads/count.ts';
import { outstandingUploads } from '../uploads/outstanding.ts';
import { clientOf, getClient } from './client.ts';
import { clients } from './fields.ts';

/**
 * Counts the data of a client, and plans its deletion: first the client gets no more tokens, then its upload
 * URLs are cancelled, then its record gets a time after which DynamoDB removes it. Repeat the deletion later
 * to cancel the upload URLs that an old token got in between.
 *
 * @throws {OperationError} when there is no such client. The plan fails when a URL may still work
 */
export async function planClientDeletion({ deployment }: ActionContext, clientId: string): Promise<Plan> {
  const { organisation_id: organisation, name, secrets } = await getClient(deployment, clientId);
  const selection = { organisation, client: clientId };
  const { length: outstanding } = await allOf(outstandingUploads(deployment, selection));
  return {
    question:
      `This deletes the client ${quoted(clientId)} (${printable(name)}) of organisation ${quoted(organisation)}: ` +
      `${counted(secrets.length, 'secret')} and ${describeUrls(outstanding)}. Tokens already issued work until they ` +
      `expire: delete the client again after that, to cancel upload URLs that these tokens got. ${describeRetention(deployment, 'client', clientId)}`,
    run: async (context) => {
      await markClientDeleted(context, clientId);
      const report = await cancelOutstanding(context, selection, outstanding);
      const client = clientOf(await finishClient(context, clientId));
      const { until, next } = undoStep('client', clientId, client.delete_after);
      return {
        message: `The client was deleted. ${counted(report.cancelled, 'upload URL')} cancelled. ${until}`,
        next,
        view: entityView(clients, client, { ...client, ...report }),
      };
    },
  };
}

/**
 * Revokes a client, and removes its secrets.
 *
 * @throws {OperationError} when there is no such client
 */
export function markClientDeleted({ deployment }: ActionContext, clientId: string) {
  const update = updateToDeletedClient(clientId, timeOf(deployment));
  return changeItem(deployment, 'client', clientId, update);
}

/** Sets the time after which DynamoDB removes the record of a deleted client. */
export function finishClient({ deployment }: ActionContext, clientId: string) {
  const update = updateDeleteAfter(keyOf('client', clientId), endOfRetention(deployment));
  return changeDeleted(deployment, 'client', clientId, update);
}
