import { updateToUndeleted } from '../../../storage/attributes.ts';
import { clientSource } from '../clients/client.ts';
import { restoreClient } from '../clients/deletion.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { beginUndo, changeDeleted, type Deletable, requireDeleted } from '../deployment/deletion.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { keyOf } from '../deployment/items.ts';
import type { ActionContext, ActionResult } from '../description/action.ts';
import { describeLost, undeleteFiles } from '../files/deletion.ts';
import { fileSource } from '../files/file.ts';
import { allOf, readAll } from '../lists/read.ts';
import { counted } from '../text.ts';
import { getStoredOrganisation } from './organisation.ts';

/**
 * Undoes the deletion of an organisation. Its record stays deleted until all its files and clients have returned, so
 * that a repeat completes an interrupted undo. Clients and files that were deleted before the organisation stay deleted.
 * Lists them again until none is left, because a deletion that still runs may delete more.
 *
 * @throws {OperationError} when the organisation is not deleted, is deleted again, or its record has ended
 */
export async function undeleteOrganisation(context: ActionContext, id: string): Promise<ActionResult> {
  const { deployment } = context;
  const organisation = await getStoredOrganisation(deployment, id);
  const at = timeOf(deployment);
  await beginUndo(deployment, 'organisation', id, organisation, at);
  const { deleted_at: since = at } = organisation;
  const isDeletedWithIt = ({ deleted_at = '' }: Deletable) => deleted_at >= since;
  const isKept = (of: Deletable) =>
    isDeletedWithIt(of) && of.erased_at === undefined && (of.delete_after ?? 'never') > at;
  const list = async () => {
    await requireDeleted(deployment, 'organisation', id, at);
    const selection = { organisation: id, status: 'any' } as const;
    const clients = await allOf(readAll(deployment, clientSource(deployment, selection)));
    const files = await allOf(readAll(deployment, fileSource(selection)));
    return { clients, files, keptClients: clients.filter(isKept), keptFiles: files.filter(isKept) };
  };
  const total = { clients: 0, files: 0, uploads: 0 };
  const lost: string[] = [];
  let found = await list();
  while (found.keptClients.length + found.keptFiles.length > 0) {
    const { keptClients, keptFiles } = found;
    const restored = await undeleteFiles(context, keptFiles);
    await inParallel(keptClients, (client) => restoreClient(deployment, client, []));
    total.clients += keptClients.length;
    total.files += keptFiles.length;
    total.uploads += restored.uploads;
    lost.push(...restored.lost);
    found = await list();
  }
  await changeDeleted(deployment, 'organisation', id, updateToUndeleted(keyOf('organisation', id), at));
  // An interrupted undo may have restored clients without showing that they need a secret.
  const withoutSecret = found.clients
    .filter(({ status, secrets }) => status === 'active' && secrets.length === 0)
    .map(({ client_id }) => client_id);
  const ended = [...found.clients, ...found.files].filter(isDeletedWithIt).length;
  const endedText = ended > 0 ? ` ${counted(ended, 'record')} erased or past the end: not undeleted.` : '';
  return {
    message:
      `${counted(total.clients, 'client')} and ${counted(total.files, 'file')} were undeleted, with ${counted(total.uploads, 'upload')}.${endedText} ` +
      `${describeLost(lost)} ${counted(withoutSecret.length, 'client')} without a secret: add a secret to each.`,
    view: {
      json: {
        organisation_id: id,
        ...total,
        ended,
        content_lost: lost,
        clients_without_secret: withoutSecret,
      },
    },
    next: withoutSecret.map((client) => ({ noun: 'client', verb: 'add-secret', id: client })),
  };
}
