import { daysAfter, updateDeleteAfter, updateToDeleted } from '../../../storage/attributes.ts';
import { clientSource } from '../clients/client.ts';
import { finishClient, markClientDeleted } from '../clients/delete.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { changeDeleted, keyOf, requireDeleted, updateItem } from '../deployment/items.ts';
import {
  type Deletable,
  describeRetention,
  endOfRetention,
  needsDeletion,
  undoStep,
} from '../deployment/retention.ts';
import type { ActionContext, Plan } from '../description/action.ts';
import { deleteFiles } from '../files/delete.ts';
import { fileSource } from '../files/file.ts';
import { waitForLastIssue } from '../files/last-issue.ts';
import { allOf, readAll } from '../lists/read.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { notFound } from '../search-text.ts';
import { counted, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { putOrganisation, readOrganisation } from './create.ts';

/**
 * Counts the data of an organisation, and plans its deletion.
 *
 * @throws {OperationError} when the id is invalid, or there is no such organisation
 */
export async function planOrganisationDeletion(
  context: ActionContext,
  organisationId: string,
  erases: boolean,
): Promise<Plan> {
  const { deployment } = context;
  parseNewIdentifier(organisationId, 'organisation');
  const organisation = await readOrganisation(deployment, organisationId);
  const { clients, files } = await everythingOf(context, organisationId);
  if (organisation === undefined && clients.length + files.length === 0) {
    throw notFound('organisation', organisationId);
  }
  const needed = (of: Deletable = {}) => needsDeletion(of, erases);
  if (![organisation, ...clients, ...files].some(needed)) {
    const message = `Everything of organisation ${quoted(organisationId)} is already deleted. Nothing was changed.`;
    const json = { organisation_id: organisationId, already_deleted: true };
    return { run: async () => ({ message, view: { json } }) };
  }
  const isErasure = erases || organisation?.erased_at !== undefined;
  const { uploads, text } = await countUploads(context, { organisation: organisationId });
  return {
    question:
      `This deletes everything of organisation ${quoted(organisationId)}: ${counted(clients.length, 'client')}, ` +
      `${counted(files.length, 'file')}, ${text}. Its clients get no tokens, and 404 for its files. ${describeRetention(deployment, 'organisation', organisationId, isErasure)}`,
    run: async (running) => {
      // Restored clients and files may lack the record of their organisation.
      if (organisation === undefined) {
        await putOrganisation(deployment, organisationId);
      }
      const deleted = await deleteOrganisation(running, organisationId, uploads, isErasure);
      const { until, next } = undoStep('organisation', organisationId, endOfRetention(deployment), isErasure);
      return {
        message: `${counted(deleted.clients, 'client')} and ${counted(deleted.files, 'file')} were deleted, with ${counted(deleted.uploads, 'upload')}. ${counted(deleted.cancelled, 'upload URL')} cancelled. ${until}`,
        next,
        view: { json: { organisation_id: organisationId, ...deleted } },
      };
    },
  };
}

/**
 * Deletes an organisation with its clients, files and uploads. The organisation is marked first, to block new
 * clients and files. A second pass deletes those that were created in the meantime. The end of the deletion
 * is written last.
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
  const markedAt = timeOf(deployment);
  await updateItem(deployment, 'organisation', updateToDeleted(key, markedAt, erases));
  const first = await deleteLeft(context, organisationId, expected, erases);
  if (deployment.damage?.size) {
    return first;
  }
  await waitForLastIssue([markedAt], context);
  const second = await deleteLeft(context, organisationId, 0, erases);
  const kept = Math.max(Number(deployment.outputs.SupersededRetentionDays), minimumRecordDays);
  const closedAt = timeOf(deployment);
  const close = updateDeleteAfter(key, daysAfter(closedAt, kept), erases, closedAt);
  await changeDeleted(deployment, 'organisation', organisationId, close);
  return {
    clients: first.clients + second.clients,
    files: first.files + second.files,
    uploads: first.uploads + second.uploads,
    cancelled: first.cancelled + second.cancelled,
  };
}

/**
 * Minimum days to keep the record of a deleted organisation: longer than its tokens work, which is at most a
 * day.
 */
const minimumRecordDays = 2;

/**
 * Deletes the remaining clients and files of an organisation. All clients and files are marked first.
 *
 * @param expected approximate number of uploads, for the progress
 * @throws {OperationError} when an upload could not be deleted
 */
async function deleteLeft(context: ActionContext, organisationId: string, expected: number, erases: boolean) {
  await requireDeleted(context.deployment, 'organisation', organisationId);
  const { clients, files } = await everythingOf(context, organisationId);
  const clientIds = clients.filter((client) => needsDeletion(client)).map(({ client_id }) => client_id);
  const left = files.filter((file) => needsDeletion(file, erases));
  await inParallel(clientIds, (clientId) => markClientDeleted(context, clientId));
  const report = await deleteFiles(context, left, expected, erases);
  await inParallel(clientIds, (clientId) => finishClient(context, clientId));
  return { clients: clientIds.length, files: left.length, ...report };
}

/** Lists all clients and files of an organisation, including deleted ones. */
export async function everythingOf({ deployment }: ActionContext, organisation: string) {
  const selection = { organisation, status: 'any' } as const;
  return {
    clients: await allOf(readAll(deployment, clientSource(selection))),
    files: await allOf(readAll(deployment, fileSource(selection))),
  };
}
