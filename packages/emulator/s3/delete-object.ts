import type { Answer } from '../server/write-answer.ts';
import { namedVersion, requireAccess, type S3Request, versionedAction } from './request.ts';

/** DeleteObject: removes a version for good, or else puts a delete marker (S3, "Deleting object versions"). */
export async function deleteObject(request: S3Request): Promise<Answer> {
  requireAccess(request, versionedAction(request, 'DeleteObject'));
  const { store } = request.bucket;
  const versionId = namedVersion(request);
  if (versionId === undefined) {
    const marker = await store.putDeleteMarker(request.key);
    return { status: 204, headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId } };
  }
  const version = await store.version(request.key, versionId);
  if (version !== undefined) {
    await store.removeVersion(version);
  }
  const marker = version?.deleteMarker === true ? { 'x-amz-delete-marker': 'true' } : {};
  return { status: 204, headers: { ...marker, 'x-amz-version-id': versionId } };
}
