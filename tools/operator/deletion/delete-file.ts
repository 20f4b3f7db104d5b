import { timestamp } from '../../../storage/attributes.ts';
import { updateFileDeleteAfter, updateToDeletedFile } from '../../../storage/file.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type File, fileOf } from '../files.ts';
import { notFound, updateItem } from '../tables.ts';
import { deleteUploads, type NotDeleted } from './delete-uploads.ts';
import { type DeletionOptions, endOfRetention, waitForLastIssue } from './retention.ts';

/** The file after a deletion, and what became of its uploads. */
export interface FileDeleted {
  readonly file: File;
  readonly uploads: number;
  /** Upload URLs that were ended. */
  readonly cancelled: number;
  /** Uploads that stay. With any, the file has no end yet: the deletion must be repeated. */
  readonly failed: readonly NotDeleted[];
}

/**
 * Deletes a file. First it is marked, so that clients get 404 and what arrives is discarded. Then every upload ends. Last
 * of all the file gets its end, which says that nothing is left to do. So it can be repeated after a crash at any point.
 *
 * @throws {CommandError} when there is no such file
 */
export async function deleteFile(
  deployment: Deployment,
  fileId: string,
  options: DeletionOptions,
): Promise<FileDeleted> {
  const file = await markFileDeleted(deployment, fileId, options.now());
  await waitForLastIssue(file.deleted_at, options);
  return finishFile(deployment, file, options);
}

/** A file that is marked. */
type MarkedFile = File & { readonly deleted_at: string };

/** @throws {CommandError} when there is no such file */
export async function markFileDeleted(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<MarkedFile> {
  const deletedAt = timestamp(new Date(now));
  const item = await updateItem(deployment, 'FilesTableName', updateToDeletedFile(fileId, deletedAt));
  if (item === 'refused') {
    throw notFound('file', fileId);
  }
  const file = fileOf(item);
  return { ...file, deleted_at: file.deleted_at ?? deletedAt };
}

/** Ends the uploads of a file that is marked, and then lets its record go. */
export async function finishFile(
  deployment: Deployment,
  file: File,
  options: DeletionOptions,
): Promise<FileDeleted> {
  const { uploads, cancelled, failed } = await deleteUploads(deployment, file.file_id, options);
  if (failed.length > 0) {
    return { file, uploads, cancelled, failed };
  }
  const update = updateFileDeleteAfter(file.file_id, endOfRetention(deployment, options.now()));
  const item = await updateItem(deployment, 'FilesTableName', update);
  return { file: item === 'refused' ? file : fileOf(item), uploads, cancelled, failed };
}
