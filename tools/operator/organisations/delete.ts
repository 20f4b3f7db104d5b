import { timeOf } from '../deployment/aws-clock.ts';
import {
  type DeletableKind,
  endOfRetention,
  finishDeletion,
  markDeleted,
  needsDeletion,
  planDeletion,
  planNothing,
  requireDeleted,
} from '../deployment/deletion.ts';
import type { ActionContext, Plan } from '../description/action.ts';
import { waitForLastIssue } from '../files/last-issue.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { notFound } from '../search-text.ts';
import { counted, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { deleteUploads } from '../uploads/deletion.ts';
import { putOrganisation, readOrganisation } from './create.ts';
import { countIn, countText, forEachItem, type ItemAction } from './organisation.ts';

/**
 * Counts the data of an organisation, and plans its deletion.
 *
 * @throws {OperationError} when the id is invalid, or there is no such organisation
 */
export async function planOrganisationDeletion(
  { deployment }: ActionContext,
  id: string,
  erasesContent: boolean,
): Promise<Plan> {
  parseNewIdentifier(id, 'organisation');
  const [organisation, clients, files, { text }] = await Promise.all([
    readOrganisation(deployment, id),
    countIn(deployment, 'client', id),
    countIn(deployment, 'file', id),
    countUploads(deployment, { organisation: id }),
  ]);
  if (clients.count + files.count === 0) {
    if (organisation === undefined) {
      throw notFound('organisation', id);
    }
    if (!needsDeletion(organisation, erasesContent)) {
      return planNothing('organisation', id, 'Everything of organisation');
    }
  }
  const erases = erasesContent || organisation?.erased_at !== undefined;
  return planDeletion(deployment, {
    kind: 'organisation',
    id,
    erases,
    about:
      `everything of organisation ${quoted(id)}: ${countText(clients, (count) => counted(count, 'client'))}, ` +
      `${countText(files, (count) => counted(count, 'file'))}, ${text}. Its clients get no tokens, and 404 for its files.`,
    run: async (context) => {
      // Restored clients and files may lack the record of their organisation.
      if (organisation === undefined) {
        await putOrganisation(deployment, id);
      }
      const deleted = await deleteWithUploads(context, 'organisation', id, erases);
      return {
        message: `${counted(deleted.clients, 'client')} and ${counted(deleted.files, 'file')} were deleted, with ${counted(deleted.uploads, 'upload')}. ${counted(deleted.cancelled, 'upload URL')} cancelled.`,
        view: { json: { organisation_id: id, ...deleted } },
        end: deployment.damage?.size ? undefined : endOfRetention(deployment),
      };
    },
  });
}

/**
 * Deletes a file, or an organisation with its clients and files, with all uploads. The organisation is marked first, to
 * block new clients and files. Files are marked before their uploads are deleted: see {@link deleteUploads}. The end of
 * the clients and files, and then of the organisation, is written last. A repeat skips what an earlier run did.
 *
 * @returns the numbers of clients and files of an organisation, of uploads and of cancelled URLs
 * @throws {OperationError} when an upload could not be deleted
 */
export async function deleteWithUploads(
  context: ActionContext,
  root: 'file' | 'organisation',
  rootId: string,
  erases: boolean,
) {
  const { deployment } = context;
  let lastMarkedAt = '';
  const mark = async (kind: DeletableKind, id: string) => {
    await markDeleted(deployment, kind, id, erases);
    lastMarkedAt = timeOf(deployment);
  };
  await mark(root, rootId);
  const requireDeletion = () => requireDeleted(deployment, root, rootId);
  const forEachOwned = async (act: ItemAction) => {
    if (root === 'organisation') {
      await forEachItem(deployment, rootId, requireDeletion, act);
    }
  };
  /** Files whose erasure was interrupted. */
  const erased = new Set<string>();
  // The second pass is for clients and files that were created in the meantime.
  for (const _pass of [1, 2]) {
    await forEachOwned(async (kind, id, item) => {
      const { deleted_at, undeleted_at, erased_at } = item;
      if (erased_at !== undefined && needsDeletion(item)) {
        erased.add(id);
      }
      const isMarked = deleted_at !== undefined && undeleted_at === undefined;
      if (!isMarked || (erases && kind === 'file' && erased_at === undefined)) {
        await mark(kind, id);
      }
    });
    // An undo that this deletion stops may still restore uploads. So a repeat waits too.
    await waitForLastIssue(lastMarkedAt, context);
  }
  const report = await deleteUploads(context, { [root]: rootId }, requireDeletion, (upload) => {
    return erases || erased.has(upload.file_id);
  });
  // Once a damaged item is found, a repeat after the repair completes the deletion.
  const isWhole = !deployment.damage?.size;
  const total = { client: 0, file: 0 };
  await forEachOwned(async (kind, id, item) => {
    if (needsDeletion(item)) {
      total[kind] += 1;
      if (isWhole) {
        await finishDeletion(deployment, kind, id, erases || erased.has(id));
      }
    }
  });
  if (isWhole) {
    await finishDeletion(deployment, root, rootId, erases);
  }
  return { clients: total.client, files: total.file, ...report };
}
