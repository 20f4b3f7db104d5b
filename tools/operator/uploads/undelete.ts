import type { S3ServiceException } from '@aws-sdk/client-s3';
import type { Content } from '../../../storage/file.ts';
import { tombstoneOf } from '../../../storage/tombstone.ts';
import { updateToUndeletedUpload } from '../../../storage/upload.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/head-object.ts';
import { updateItem } from '../deployment/items.ts';
import { readAll } from '../lists/read.ts';
import { forEachUpload, pagesWhile } from './each-upload.ts';
import { type Upload, uploadSource } from './upload.ts';

/** Returns true if S3 has the content of a deleted file as it was recorded. */
export async function isContentKept(
  deployment: Deployment,
  { key, version_id, size, etag }: Content,
): Promise<boolean> {
  const head = await headObject(deployment, key, version_id);
  return head?.ContentLength === size && head.ETag?.replaceAll('"', '') === etag;
}

/**
 * Restores the uploads of a file. Those that were deleted before they were recorded become due, so the service records
 * them.
 *
 * @param content content of the file. If it `isLost`, its upload stays deleted
 * @param requireUndo check before each page
 * @returns the number of restored uploads
 */
export async function undeleteUploads(
  deployment: Deployment,
  fileId: string,
  { content, isLost }: { readonly content: Content | undefined; readonly isLost: boolean },
  requireUndo: () => Promise<void>,
): Promise<number> {
  let restored = 0;
  const pages = readAll(deployment, uploadSource(deployment, { file: fileId }));
  await forEachUpload(
    pagesWhile(requireUndo, pages),
    () => undefined,
    async (upload) => {
      const isContent = upload.upload_id === content?.upload_id;
      if (isContent ? !isLost : upload.deleted_at !== undefined) {
        await undeleteUpload(deployment, upload, isContent ? content : undefined);
        restored += 1;
      }
      return false;
    },
  );
  return restored;
}

async function undeleteUpload(
  deployment: Deployment,
  upload: Upload,
  content: Content | undefined,
): Promise<void> {
  const { key, state } = upload;
  const isOpen = state === 'issued' || state === 'expired';
  const isFound = (content !== undefined || isOpen) && (await uncover(deployment, key, content?.version_id));
  const place = content === undefined ? undefined : 'content';
  const update = updateToUndeletedUpload(
    upload,
    place ?? (isFound ? 'unrecorded' : undefined),
    timeOf(deployment),
  );
  await updateItem(deployment, 'upload', update);
}

/**
 * Removes the tombstones of a deletion from a key, until the newest version is an object. This needs the right to
 * delete versions, which no function has. Content is never copied.
 *
 * @param versionId version of the content. Delete markers above it are removed too
 * @returns true if the newest version is an object
 */
async function uncover(deployment: Deployment, Key: string, versionId?: string): Promise<boolean> {
  const s3 = await s3Client(deployment);
  const Bucket = deployment.outputs.BucketName;
  for (;;) {
    const { VersionId, isMarker, isEmpty } = await newestVersion(deployment, Key);
    if (VersionId === undefined || VersionId === versionId || (isMarker && versionId === undefined)) {
      return !isMarker && VersionId !== undefined;
    }
    if (!isMarker) {
      const { TagSet = [] } = isEmpty ? await s3.getObjectTagging({ Bucket, Key, VersionId }) : {};
      if (tombstoneOf(TagSet) !== 'superseded') {
        return tombstoneOf(TagSet) === undefined;
      }
    }
    await s3.deleteObject({ Bucket, Key, VersionId });
  }
}

/** Reads the id of the newest version of a key. S3 responds with 404 and the id if it is a delete marker. */
async function newestVersion(deployment: Deployment, Key: string) {
  const s3 = await s3Client(deployment);
  try {
    const head = await s3.headObject({ Bucket: deployment.outputs.BucketName, Key });
    return { VersionId: head.VersionId, isMarker: false, isEmpty: head.ContentLength === 0 };
  } catch (error) {
    const { name, $response } = Object(error) as Partial<S3ServiceException>;
    if (name !== 'NotFound') {
      throw error;
    }
    const headers: Readonly<Record<string, string>> = $response?.headers ?? {};
    return { VersionId: headers['x-amz-version-id'], isMarker: true, isEmpty: true };
  }
}
