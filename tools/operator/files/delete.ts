import { timestamp } from '../../../storage/attributes.ts';
import { updateFileDeleteAfter, updateToDeletedFile } from '../../../storage/file.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { updateItem } from '../deployment/items.ts';
import { describeRetention, endOfRetention, isLeft } from '../deployment/retention.ts';
import { one, type Plan, type Work } from '../description/action.ts';
import { notFound } from '../sought-text.ts';
import { counted, printable, quoted } from '../text.ts';
import { countUploads } from '../uploads/count.ts';
import { deleteUpload } from '../uploads/delete.ts';
import { forEachUpload, type WorkReport } from '../uploads/each-upload.ts';
import { listUploads } from '../uploads/upload.ts';
import { files } from './fields.ts';
import { type File, fileOf, getFile } from './file.ts';
import { waitForLastIssue } from './last-issue.ts';

/**
 * Counts what the deletion of a file would delete, and plans the deletion.
 *
 * @throws {OperationError} when there is no such file
 */
export async function planFileDeletion(work: Work, fileId: string): Promise<Plan> {
  const { deployment } = work;
  const file = await getFile(deployment, fileId);
  if (!isLeft(file)) {
    const says = `The file ${quoted(fileId)} is already deleted. Nothing was changed.`;
    return { run: async () => ({ says, shows: { json: { file_id: fileId, already_deleted: true } } }) };
  }
  const { uploads, text } = await countUploads(work, { fileId });
  return {
    question:
      `This deletes the file ${quoted(fileId)} (${printable(file.name)}) of organisation ${quoted(file.organisation_id)}: ` +
      `${text}. Clients get 404 for the file immediately. ${describeRetention(deployment)}`,
    run: async (running) => {
      const deleted = await deleteFile(running, fileId, uploads);
      return {
        says:
          `The file was deleted, with ${counted(deleted.uploads, 'upload')}. ` +
          `${counted(deleted.cancelled, 'upload URL')} cancelled.`,
        shows: one(files, deleted),
      };
    },
  };
}

/**
 * Deletes a file. As soon as the file is marked, clients get 404, and bytes that arrive are discarded. Then every upload is
 * deleted, and the record of the file gets a time after which DynamoDB removes it.
 *
 * @throws {OperationError} when there is no such file, or an upload could not be deleted
 */
async function deleteFile(work: Work, fileId: string, expected: number) {
  const file = await markFileDeleted(work.deployment, fileId, work.now());
  await waitForLastIssue(file.deleted_at, work);
  return finishFile(work, file, (done) =>
    work.progress(`Deleting: ${done} of ${counted(Math.max(done, expected), 'upload')}.`),
  );
}

/** Marks a file as deleted. @param now milliseconds since the epoch */
export async function markFileDeleted(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<File & { readonly deleted_at: string }> {
  const deletedAt = timestamp(new Date(now));
  const item = await updateItem(deployment, 'file', updateToDeletedFile(fileId, deletedAt));
  if (item === 'refused') {
    throw notFound('file', fileId);
  }
  const file = fileOf(item);
  return { ...file, deleted_at: file.deleted_at ?? deletedAt };
}

/**
 * Deletes the uploads of a marked file, the newest first because their URLs still work. Then DynamoDB may remove the record
 * of the file.
 *
 * @param progress takes the number of uploads that were deleted so far
 */
export async function finishFile(
  { deployment, now }: Work,
  file: File,
  progress: (done: number) => void,
): Promise<File & WorkReport> {
  const uploads = listUploads(deployment, { fileId: file.file_id });
  const report = await forEachUpload(
    uploads,
    progress,
    async (upload) => upload.deleted_at === undefined && deleteUpload(deployment, upload, now()),
  );
  const update = updateFileDeleteAfter(file.file_id, endOfRetention(deployment, now()));
  const item = await updateItem(deployment, 'file', update);
  return { ...(item === 'refused' ? file : fileOf(item)), ...report };
}
