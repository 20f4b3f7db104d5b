import { updateDeleteAfter, updateToDeleted } from '../../../storage/attributes.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { inParallel, queue } from '../deployment/in-parallel.ts';
import { changeDeleted, changeItem, keyOf, requireDeleted } from '../deployment/items.ts';
import { describeRetention, endOfRetention, needsDeletion, undoStep } from '../deployment/retention.ts';
import { type ActionContext, entityView, type Plan } from '../description/action.ts';
import { readAll } from '../lists/read.ts';
import { counted, printable, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { deleteUpload, eraseContent } from '../uploads/delete.ts';
import { forEachUpload, pagesWhile } from '../uploads/each-upload.ts';
import { uploadSource } from '../uploads/upload.ts';
import { files } from './fields.ts';
import { type File, getFile } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

/**
 * Counts the uploads of a file, and plans its deletion.
 *
 * @throws {OperationError} when there is no such file
 */
export async function planFileDeletion(
  context: ActionContext,
  fileId: string,
  erases: boolean,
): Promise<Plan> {
  const { deployment } = context;
  const file = await getFile(deployment, fileId);
  if (!needsDeletion(file, erases)) {
    const message = `The file ${quoted(fileId)} is already deleted. Nothing was changed.`;
    return { run: async () => ({ message, view: { json: { file_id: fileId, already_deleted: true } } }) };
  }
  const isErasure = erases || file.erased_at !== undefined;
  const { uploads, text } = await countUploads(context, { file: fileId });
  return {
    question:
      `This deletes the file ${quoted(fileId)} (${printable(file.name)}) of organisation ${quoted(file.organisation_id)}: ` +
      `${text}. Clients get 404 for the file immediately. ${describeRetention(deployment, 'file', fileId, isErasure)}`,
    run: async (running) => {
      const report = await deleteFiles(running, [file], uploads, erases);
      const deleted = await getFile(deployment, fileId);
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
 * Deletes files. All files are marked first. Once a file is marked, clients get 404, and arriving bytes are
 * discarded. Then all uploads of each file are deleted, newest first because their URLs still work, and the
 * record of the file gets a time after which DynamoDB removes it. Once a damaged item is found, files no
 * longer get this time, so a repeat after the repair completes the deletion.
 *
 * @param expected approximate number of uploads, for the progress
 * @param erases true to erase content. An erasure that was interrupted is completed in any case
 * @returns the numbers of uploads, and of cancelled URLs
 * @throws {OperationError} when there is no such file, or an upload could not be deleted
 */
export async function deleteFiles(
  context: ActionContext,
  found: readonly File[],
  expected: number,
  erases = false,
) {
  const { deployment, progress } = context;
  await inParallel(found, ({ file_id: fileId }) =>
    changeItem(
      deployment,
      'file',
      fileId,
      updateToDeleted(keyOf('file', fileId), timeOf(deployment), erases),
    ),
  );
  // An undo that this deletion stops may still restore uploads. So a repeat waits too.
  const at = timeOf(deployment);
  await waitForLastIssue(
    found.map(() => at),
    context,
  );
  const total = { uploads: 0, cancelled: 0 };
  const run = queue();
  let seen = 0;
  await inParallel(found, async ({ file_id: fileId, erased_at }) => {
    let before = 0;
    const isErasure = erases || erased_at !== undefined;
    const requireDeletion = () => requireDeleted(deployment, 'file', fileId);
    const pages = readAll(deployment, uploadSource(deployment, { file: fileId }));
    const { uploads, cancelled } = await forEachUpload(
      pagesWhile(requireDeletion, pages),
      (done) => {
        seen += done - before;
        before = done;
        progress(`Deleting: ${seen} of ${counted(Math.max(seen, expected), 'upload')}.`);
      },
      async (upload) => {
        const isCancelled = upload.deleted_at === undefined && (await deleteUpload(deployment, upload));
        if (isErasure) {
          await eraseContent(deployment, upload);
        }
        return isCancelled;
      },
      run,
    );
    total.uploads += uploads;
    total.cancelled += cancelled;
    if (!deployment.damage?.size) {
      const update = updateDeleteAfter(keyOf('file', fileId), endOfRetention(deployment), isErasure);
      await changeDeleted(deployment, 'file', fileId, update);
    }
  });
  return total;
}
