import { daysAfter, updateDeleteAfter, updateToDeleted } from '../../../storage/attributes.ts';
import { clientSource } from '../clients/client.ts';
import { finishClient, markClientDeleted } from '../clients/delete.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { changeDeleted, keyOf, requireDeleted, updateItem } from '../deployment/items.ts';
import { describeRetention, endOfRetention, needsDeletion, undoStep } from '../deployment/retention.ts';
import type { ActionContext, Plan } from '../description/action.ts';
import { finishFile, markFileDeleted } from '../files/delete.ts';
import { fileSource } from '../files/file.ts';
import { waitForLastIssue } from '../files/last-issue.ts';
import { readAll } from '../lists/read.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { notFound } from '../search-text.ts';
import { counted, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { deleteUploads } from '../uploads/delete.ts';
import { pagesWhile } from '../uploads/each-upload.ts';
import { putOrganisation, readOrganisation } from './create.ts';
import { countIn, countText } from './organisation.ts';

/**
 * Counts the data of an organisation, and plans its deletion.
 *
 * @throws {OperationError} when the id is invalid, or there is no such organisation
 */
export async function planOrganisationDeletion(
  { deployment }: ActionContext,
  organisationId: string,
  erases: boolean,
): Promise<Plan> {
  parseNewIdentifier(organisationId, 'organisation');
  const [organisation, clients, files, { uploads, text }] = await Promise.all([
    readOrganisation(deployment, organisationId),
    countIn(deployment, 'client', organisationId),
    countIn(deployment, 'file', organisationId),
    countUploads(deployment, { organisation: organisationId }),
  ]);
  if (clients.count + files.count === 0) {
    if (organisation === undefined) {
      throw notFound('organisation', organisationId);
    }
    if (!needsDeletion(organisation, erases)) {
      const message = `Everything of organisation ${quoted(organisationId)} is already deleted. Nothing was changed.`;
      const json = { organisation_id: organisationId, already_deleted: true };
      return { run: async () => ({ message, view: { json } }) };
    }
  }
  const isErasure = erases || organisation?.erased_at !== undefined;
  return {
    question:
      `This deletes everything of organisation ${quoted(organisationId)}: ${countText(clients, (count) => counted(count, 'client'))}, ` +
      `${countText(files, (count) => counted(count, 'file'))}, ${text}. Its clients get no tokens, and 404 for its files. ${describeRetention(deployment, 'organisation', organisationId, isErasure)}`,
    run: async (running) => {
      // Restored clients and files may lack the record of their organisation.
      if (organisation === undefined) {
        await putOrganisation(deployment, organisationId);
      }
      const deleted = await deleteOrganisation(running, organisationId, uploads, isErasure);
      const end = deployment.damage?.size ? undefined : endOfRetention(deployment);
      const { until, next } = undoStep('organisation', organisationId, end, isErasure);
      return {
        message: `${counted(deleted.clients, 'client')} and ${counted(deleted.files, 'file')} were deleted, with ${counted(deleted.uploads, 'upload')}. ${counted(deleted.cancelled, 'upload URL')} cancelled. ${until}`,
        next,
        view: { json: { organisation_id: organisationId, ...deleted } },
      };
    },
  };
}

/**
 * Deletes an organisation with its clients, files and uploads. The organisation is marked first, to block new clients
 * and files. Its files are marked before their uploads are deleted, as of a single file: see {@link deleteUploads}. The
 * end of the files, and then of the organisation, is written last. A repeat skips what an earlier run did.
 *
 * @param expected approximate number of uploads, for the progress
 * @throws {OperationError} when an upload could not be deleted
 */
async function deleteOrganisation(
  context: ActionContext,
  organisationId: string,
  expected: number,
  erases: boolean,
) {
  const { deployment } = context;
  const key = keyOf('organisation', organisationId);
  let lastMarkedAt = timeOf(deployment);
  await updateItem(deployment, 'organisation', updateToDeleted(key, lastMarkedAt, erases));
  const requireDeletion = () => requireDeleted(deployment, 'organisation', organisationId);
  const selection = { organisation: organisationId, status: 'any' } as const;
  const done = { clients: 0, files: 0 };
  /** Files whose erasure was interrupted. */
  const erased = new Set<string>();
  const filePages = () => pagesWhile(requireDeletion, readAll(deployment, fileSource(selection)));
  const markFiles = () =>
    inParallel(filePages(), async (file) => {
      const { file_id, deleted_at, undeleted_at, erased_at } = file;
      if (erased_at !== undefined && needsDeletion(file)) {
        erased.add(file_id);
      }
      const isMarked = deleted_at !== undefined && undeleted_at === undefined;
      if (!isMarked || (erases && erased_at === undefined)) {
        await markFileDeleted(deployment, file_id, erases);
        lastMarkedAt = timeOf(deployment);
      }
    });
  // The uploads of clients are deleted with the files.
  const deleteClients = () =>
    inParallel(pagesWhile(requireDeletion, readAll(deployment, clientSource(selection))), async (client) => {
      if (needsDeletion(client)) {
        await markClientDeleted(context, client.client_id);
        await finishClient(context, client.client_id);
        done.clients += 1;
      }
    });
  // The second pass is for clients and files that were created in the meantime.
  for (const _pass of [1, 2]) {
    await markFiles();
    await deleteClients();
    await waitForLastIssue([lastMarkedAt], context);
  }
  const report = await deleteUploads(context, { organisation: organisationId }, requireDeletion, {
    expected,
    isErased: ({ file_id }) => erases || erased.has(file_id),
  });
  const isWhole = !deployment.damage?.size;
  await inParallel(filePages(), async (file) => {
    if (needsDeletion(file)) {
      done.files += 1;
      if (isWhole) {
        await finishFile(deployment, file.file_id, erases || erased.has(file.file_id));
      }
    }
  });
  if (isWhole) {
    const kept = Math.max(Number(deployment.outputs.SupersededRetentionDays), minimumRecordDays);
    const closedAt = timeOf(deployment);
    const close = updateDeleteAfter(key, daysAfter(closedAt, kept), erases, closedAt);
    await changeDeleted(deployment, 'organisation', organisationId, close);
  }
  return { ...done, ...report };
}

/**
 * Minimum days to keep the record of a deleted organisation: longer than its tokens work, which is at most a
 * day.
 */
const minimumRecordDays = 2;
