import { listClients } from '../clients/client.ts';
import { finishClient, markClientDeleted } from '../clients/delete.ts';
import { describeRetention, isLeft } from '../deployment/retention.ts';
import type { Plan, Work } from '../description/action.ts';
import { deleteFiles } from '../files/delete.ts';
import { listFiles } from '../files/file.ts';
import { allOf } from '../lists/list.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { notFound } from '../sought-text.ts';
import { counted, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';

/**
 * Counts what the deletion of an organisation would delete, and plans the deletion.
 *
 * @throws {OperationError} when the id cannot be an id, or the organisation has no client and no file
 */
export async function planOrganisationDeletion(work: Work, organisationId: string): Promise<Plan> {
  const { deployment } = work;
  parseNewIdentifier(organisationId, 'organisation');
  const { clients, files } = await everythingOf(work, organisationId);
  if (clients.length + files.length === 0) {
    throw notFound('client and no file of organisation', organisationId);
  }
  if (![...clients, ...files].some(isLeft)) {
    const says = `Everything of organisation ${quoted(organisationId)} is already deleted. Nothing was changed.`;
    const json = { organisation_id: organisationId, already_deleted: true };
    return { run: async () => ({ says, shows: { json } }) };
  }
  const { uploads, text } = await countUploads(work, { organisation: organisationId });
  return {
    question:
      `This deletes everything of organisation ${quoted(organisationId)}: ${counted(clients.length, 'client')}, ` +
      `${counted(files.length, 'file')}, ${text}. Its clients get no tokens, and 404 for its files. ${describeRetention(deployment)}`,
    run: async (running) => {
      const deleted = await deleteOrganisation(running, organisationId, uploads);
      return {
        says:
          `${counted(deleted.clients, 'client')} and ${counted(deleted.files, 'file')} were deleted, with ` +
          `${counted(deleted.uploads, 'upload')}. ${counted(deleted.cancelled, 'upload URL')} cancelled.`,
        shows: { json: { organisation_id: organisationId, ...deleted } },
      };
    },
  };
}

/**
 * Deletes everything of an organisation. All clients and files are marked first. Clients and files whose deletion
 * is complete are left out.
 *
 * @param expected about so many uploads are deleted
 * @throws {OperationError} when an upload could not be deleted
 */
async function deleteOrganisation(work: Work, organisationId: string, expected: number) {
  const { clients, files } = await everythingOf(work, organisationId);
  const clientIds = clients.filter(isLeft).map(({ client_id }) => client_id);
  const fileIds = files.filter(isLeft).map(({ file_id }) => file_id);
  for (const clientId of clientIds) {
    await markClientDeleted(work, clientId);
  }
  const report = await deleteFiles(work, fileIds, expected);
  for (const clientId of clientIds) {
    await finishClient(work, clientId);
  }
  return { clients: clientIds.length, files: fileIds.length, ...report };
}

async function everythingOf({ deployment }: Work, organisation: string) {
  const selection = { organisation, status: 'any' } as const;
  return {
    clients: await allOf(listClients(deployment, selection)),
    files: await allOf(listFiles(deployment, selection)),
  };
}
