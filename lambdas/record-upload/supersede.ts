import { InternalError } from '../shared/log.ts';
import type { RecordDependencies } from './record-object.ts';
import type { StoredFile } from './upload-store.ts';

type SupersedeDependencies = Pick<RecordDependencies, 'uploads' | 'objects' | 'now'>;

/**
 * Marks the object of a replaced upload by a tombstone version, which starts the clock of its retention. The upload's
 * URL stays shut: the key still exists, so that a PUT gets 412. A crash between the two writes leads to a second
 * tombstone, which changes nothing: the content's clock started with the first.
 */
export async function supersede(
  uploadId: string,
  { uploads, objects, now }: SupersedeDependencies,
): Promise<void> {
  const upload = await uploads.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId} to supersede`);
  }
  if (upload.superseded) {
    return;
  }
  await objects.putSupersededTombstone(upload.key);
  await uploads.markSuperseded(uploadId, now().toISOString());
}

/** Works off the outbox of a file, in order; stops where another event works on the same one, which then goes on. */
export async function clearSuperseded(file: StoredFile, dependencies: SupersedeDependencies): Promise<void> {
  for (const uploadId of file.superseded) {
    await supersede(uploadId, dependencies);
    await dependencies.uploads.shiftSuperseded(file.fileId, uploadId);
  }
}
