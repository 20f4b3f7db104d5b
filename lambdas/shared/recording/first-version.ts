import type { Upload } from '../../../storage/upload.ts';
import { InternalError } from '../log/log.ts';
import type { Bucket, CreatedObject } from './bucket.ts';

/**
 * Whether a version is the one that S3 stored first under the key of its upload. Only that one may become content.
 *
 * S3 accepts one PUT for each upload URL, so there should be no other (docs/decisions/0001). If there is, the events of
 * the two may arrive in any order. So S3 is asked which came first, and not the order of events.
 *
 * @throws {InternalError} when the version is not in the bucket, and the upload was not superseded
 */
export async function isFirstVersion(
  upload: Upload,
  { key, versionId }: CreatedObject,
  bucket: Bucket,
): Promise<boolean> {
  if (upload.state === 'completed') {
    // Decided when it was completed. The content may have been deleted since, so S3 might not know any more.
    return upload.version_id === versionId;
  }
  const versions = await bucket.listVersions(key);
  if (versions.includes(versionId)) {
    return versions[0] === versionId;
  }
  if (upload.superseded_at === undefined) {
    throw new InternalError(`Version ${versionId} of upload ${upload.upload_id} is not in the bucket`);
  }
  // A dead letter may be replayed after its replaced content was deleted. The file has newer content by then.
  return true;
}
