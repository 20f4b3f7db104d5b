import { timestamp } from '../../../storage/attributes.ts';
import { contentOfUpload } from '../../../storage/file.ts';
import { periodAttributes } from '../../../storage/file-expected.ts';
import type { Completion, IssuedUpload } from '../../../storage/upload.ts';
import { InternalError, type Log } from '../log/log.ts';
import type { Tables } from './recording-tables.ts';

/**
 * Maximum number of attempts. An attempt fails only if another event changed the content meanwhile. Only a
 * burst of uploads approaches this number.
 */
const maxAttempts = 20;

/** Content of the file after {@link pointFile}, compared to the content of an upload. */
type FilePlace = 'pointed' | 'pointed before' | 'has another version' | 'has newer content' | 'deleted';

interface PointDependencies {
  readonly tables: Tables;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Ensures that the file points at this content or at the content of a later upload, unless the file is
 * deleted.
 *
 * The replaced upload is marked as superseded first, so a crash cannot leave replaced content that is never
 * deleted. `reconcile-uploads` does not delete marked content while the file still points at it.
 *
 * @throws {InternalError} while the deletion of the file is being undone, so that its content is recorded later
 */
export async function pointFile(
  upload: IssuedUpload,
  completion: Completion,
  dependencies: PointDependencies,
): Promise<FilePlace> {
  const { tables, now } = dependencies;
  const { upload_id: uploadId, file_id: fileId, key } = upload;
  const content = contentOfUpload({ ...completion, upload_id: uploadId, key });
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const file = await tables.readFileContent(fileId);
    if (file?.undeleted_at !== undefined) {
      throw new InternalError(`The deletion of file ${fileId} of upload ${uploadId} is being undone`);
    }
    if (file?.deleted_at !== undefined || upload.deleted_at !== undefined) {
      return 'deleted';
    }
    if (file === undefined) {
      throw new InternalError(`No file ${fileId} of upload ${uploadId}`);
    }
    const present = file.content?.upload_id;
    if (present === uploadId) {
      return file.content?.version_id === completion.version_id ? 'pointed before' : 'has another version';
    }
    if (present !== undefined && present > uploadId) {
      return 'has newer content';
    }
    if (present !== undefined) {
      await supersede(present, uploadId, dependencies);
    }
    const period = periodAttributes(file, content.completed_at, timestamp(now()));
    if (await tables.replaceContent(fileId, present, content, period)) {
      return 'pointed';
    }
  }
  throw new InternalError(`File ${fileId} kept changing while upload ${uploadId} was recorded`);
}

/** Marks an upload as superseded. An upload without a record needs no mark. */
async function supersede(
  uploadId: string,
  by: string,
  { tables, now, log }: PointDependencies,
): Promise<void> {
  if (await tables.markSuperseded(uploadId, timestamp(now()))) {
    log('INFO', 'uploadSuperseded', { upload_id: uploadId, superseded_by: by });
  }
}
