import { updateDeleteAfter, updateToDeleted } from '../../../storage/attributes.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { changeDeleted, changeItem, keyOf, requireDeleted } from '../deployment/items.ts';
import { describeRetention, endOfRetention, needsDeletion, undoStep } from '../deployment/retention.ts';
import { type ActionContext, entityView, type Plan } from '../description/action.ts';
import { counted, printable, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { deleteUploads } from '../uploads/delete.ts';
import { files } from './fields.ts';
import { fileOf, getFile } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

/**
 * Counts the uploads of a file, and plans its deletion.
 *
 * @throws {OperationError} when there is no such file
 */
export async function planFileDeletion(
  { deployment }: ActionContext,
  fileId: string,
  erases: boolean,
): Promise<Plan> {
  const file = await getFile(deployment, fileId);
  if (!needsDeletion(file, erases)) {
    const message = `The file ${quoted(fileId)} is already deleted. Nothing was changed.`;
    return { run: async () => ({ message, view: { json: { file_id: fileId, already_deleted: true } } }) };
  }
  const isErasure = erases || file.erased_at !== undefined;
  const { uploads, text } = await countUploads(deployment, { file: fileId });
  return {
    question:
      `This deletes the file ${quoted(fileId)} (${printable(file.name)}) of organisation ${quoted(file.organisation_id)}: ` +
      `${text}. Clients get 404 for the file immediately. ${describeRetention(deployment, 'file', fileId, isErasure)}`,
    run: async (running) => {
      await markFileDeleted(deployment, fileId, erases);
      // An undo that this deletion stops may still restore uploads. So a repeat waits too.
      await waitForLastIssue([timeOf(deployment)], running);
      const requireDeletion = () => requireDeleted(deployment, 'file', fileId);
      const report = await deleteUploads(running, { file: fileId }, requireDeletion, {
        expected: uploads,
        isErased: () => isErasure,
      });
      // Once a damaged item is found, a repeat after the repair completes the deletion.
      const deleted = deployment.damage?.size
        ? await getFile(deployment, fileId)
        : fileOf(await finishFile(deployment, fileId, isErasure));
      const { until, next } = undoStep('file', fileId, deleted.delete_after, isErasure);
      return {
        message: `The file was deleted, with ${counted(report.uploads, 'upload')}. ${counted(report.cancelled, 'upload URL')} cancelled. ${until}`,
        next,
        view: entityView(files, deleted, { ...deleted, ...report }),
      };
    },
  };
}

/**
 * Marks a file as deleted. From then on, clients get 404, and arriving bytes are discarded.
 *
 * @param erases true to erase its content too
 * @throws {OperationError} when there is no such file
 */
export function markFileDeleted(deployment: Deployment, fileId: string, erases: boolean) {
  const mark = updateToDeleted(keyOf('file', fileId), timeOf(deployment), erases);
  return changeItem(deployment, 'file', fileId, mark);
}

/** Sets the time after which DynamoDB removes the record of a deleted file, once all its uploads are deleted. */
export function finishFile(deployment: Deployment, fileId: string, erases: boolean) {
  const update = updateDeleteAfter(keyOf('file', fileId), endOfRetention(deployment), erases);
  return changeDeleted(deployment, 'file', fileId, update);
}
