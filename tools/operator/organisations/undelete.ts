import { updateToUndeleted, updateToUndeleting } from '../../../storage/attributes.ts';
import { restoreClient } from '../clients/undelete.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { changeDeleted, keyOf, updateItem } from '../deployment/items.ts';
import type { ActionContext, ActionResult } from '../description/action.ts';
import { describeLost, undeleteFiles } from '../files/undelete.ts';
import { counted } from '../text.ts';
import { everythingOf } from './delete.ts';
import { getStoredOrganisation } from './organisation.ts';
import { cannotUndo, createdAgain, type Deletable } from './undo.ts';

/**
 * Undoes the deletion of an organisation. Its record stays deleted until all its files and clients have returned, so
 * that a repeat completes an interrupted undo. Clients and files that were deleted before the organisation stay deleted.
 *
 * @throws {OperationError} when the organisation is not deleted, was created again, or its record has ended
 */
export async function undeleteOrganisation(context: ActionContext, id: string): Promise<ActionResult> {
  const { deployment } = context;
  const organisation = await getStoredOrganisation(deployment, id);
  const { deleted_at, created_at } = organisation;
  const { clients, files } = await everythingOf(context, id);
  if (deleted_at === undefined) {
    const isOlder = ({ deleted_at: at = created_at }) => at < created_at;
    throw [...clients, ...files].some(isOlder)
      ? createdAgain(id)
      : cannotUndo('organisation', id, organisation);
  }
  const at = timeOf(deployment);
  const key = keyOf('organisation', id);
  if (
    (await updateItem(deployment, 'organisation', updateToUndeleting(key, deleted_at, at))) === 'rejected'
  ) {
    throw cannotUndo('organisation', id, organisation);
  }
  const isDeletedWithIt = ({ deleted_at: itsTime = '' }) => itsTime >= deleted_at;
  const isKept = ({ erased_at, delete_after = 'never' }: Deletable) =>
    erased_at === undefined && delete_after > at;
  const itsFiles = files.filter(isDeletedWithIt);
  const itsClients = clients.filter(isDeletedWithIt);
  const [keptFiles, keptClients] = [itsFiles.filter(isKept), itsClients.filter(isKept)];
  const { uploads, lost } = await undeleteFiles(context, keptFiles);
  // An interrupted undo may have restored clients without showing that they need a secret.
  const restored = clients.filter(({ deleted_at: itsTime }) => itsTime === undefined);
  await inParallel(keptClients, async ({ client_id }) => {
    restored.push(await restoreClient(deployment, client_id, []));
  });
  await changeDeleted(deployment, 'organisation', id, updateToUndeleted(key, at));
  const withoutSecret = restored
    .filter(({ status, secrets }) => status === 'active' && secrets.length === 0)
    .map(({ client_id }) => client_id);
  const ended = itsFiles.length + itsClients.length - keptFiles.length - keptClients.length;
  const endedText = ended > 0 ? ` ${counted(ended, 'record')} erased or past the end: not undeleted.` : '';
  return {
    message:
      `${counted(keptClients.length, 'client')} and ${counted(keptFiles.length, 'file')} were undeleted, with ${counted(uploads, 'upload')}.${endedText} ` +
      `${describeLost(lost)} ${counted(withoutSecret.length, 'client')} without a secret: add a secret to each.`,
    view: {
      json: {
        organisation_id: id,
        clients: keptClients.length,
        files: keptFiles.length,
        uploads,
        ended,
        content_lost: lost,
        clients_without_secret: withoutSecret,
      },
    },
    next: withoutSecret.map((client) => ({ noun: 'client', verb: 'add-secret', id: client })),
  };
}
