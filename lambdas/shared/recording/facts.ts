import { timestamp } from '../../../storage/attributes.ts';
import type { Completion, Upload } from '../../../storage/upload.ts';
import type { Bucket, CreatedObject } from './bucket.ts';

/**
 * Returns the fields of the log lines about an upload. `request_id` is the id of the request that got the
 * upload URL.
 */
export function idsOf({ upload_id, file_id, request_id }: Upload) {
  return { upload_id, file_id, request_id };
}

/** Returns the ids of an upload and of its owner. */
export function idsWithOwner(upload: Upload) {
  const { client_id, organisation_id } = upload;
  return { ...idsOf(upload), client_id, organisation_id };
}

/**
 * Returns the recorded facts of an object. A creation time later than `now` counts as `now`: any caller with
 * permission to invoke the function can write such an event.
 */
export async function completionOf(object: CreatedObject, bucket: Bucket, now: Date): Promise<Completion> {
  const { key, versionId, size, etag, createdAt, sourceIp, operator } = object;
  const checksum = await bucket.readChecksum(key, versionId);
  return {
    version_id: versionId,
    size,
    etag,
    ...(checksum === undefined ? {} : { checksum_crc64nvme: checksum }),
    completed_at: timestamp(createdAt < now ? createdAt : now),
    ...(sourceIp === undefined ? {} : { uploaded_from: sourceIp }),
    ...(operator && { updated_at: timestamp(now), updated_by: operator }),
  };
}
