import { xmlDocument } from '../protocols/xml.ts';
import type { HttpResponse } from '../server/write-response.ts';
import {
  methodNotAllowed,
  requireAccess,
  requireVersion,
  type S3Request,
  versionedAction,
} from './request.ts';

/** GetObjectTagging. */
export async function getObjectTagging(request: S3Request): Promise<HttpResponse> {
  requireAccess(request, versionedAction(request, 'GetObjectTagging'));
  const version = await requireVersion(request, `${request.bucket.name}/${request.key}`);
  if (version.deleteMarker) {
    throw methodNotAllowed(request, version);
  }
  const tags = Object.entries(version.tags).map(([Key, Value]) => ({ Key, Value }));
  const body = xmlDocument('Tagging', { TagSet: { Tag: tags } }, 'http://s3.amazonaws.com/doc/2006-03-01/');
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', 'x-amz-version-id': version.versionId },
    body,
  };
}
