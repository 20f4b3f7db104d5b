import type { HttpResponse } from '../server/write-response.ts';
import { markerHeaders } from './object-version.ts';
import { findVersion, namedVersion, requireAccess, type S3Request, versionedAction } from './request.ts';

/**
 * DeleteObject: removes a version permanently, or else adds a delete marker (S3, "Deleting object versions").
 */
export async function deleteObject(request: S3Request): Promise<HttpResponse> {
  requireAccess(request, versionedAction(request, 'DeleteObject'));
  const { store } = request.bucket;
  const versionId = namedVersion(request);
  if (versionId === undefined) {
    const marker = await store.putDeleteMarker(request.key);
    return { status: 204, headers: markerHeaders(marker) };
  }
  const version = await findVersion(request, versionId);
  if (version !== undefined) {
    await store.removeVersion(version);
  }
  const headers = version?.deleteMarker ? markerHeaders(version) : { 'x-amz-version-id': versionId };
  return { status: 204, headers };
}
