import type { Answer } from '../protocols/answer.ts';
import { queryValue } from '../protocols/request.ts';
import { requireAccess, type S3Request, versionedAction } from './request.ts';

/** DeleteObject: removes a version for good, or else puts a delete marker (S3, "Deleting object versions"). */
export async function deleteObject(request: S3Request): Promise<Answer> {
  requireAccess(request, versionedAction(request, 'DeleteObject'));
  const { store } = request.bucket;
  const versionId = queryValue(request.received, 'versionId');
  if (versionId === undefined) {
    const marker = await store.putDeleteMarker(request.key);
    return { status: 204, headers: { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId } };
  }
  const version = await store.version(request.key, versionId);
  if (version !== undefined) {
    await store.removeVersion(version);
  }
  return { status: 204, headers: { 'x-amz-version-id': versionId } };
}
