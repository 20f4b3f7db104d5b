import { queryValue } from '../protocols/request.ts';
import { xmlDocument } from '../protocols/xml.ts';
import type { HttpResponse } from '../server/write-response.ts';
import type { ObjectVersion } from './object-version.ts';
import { requireAccess, type S3Request } from './request.ts';

/** ListObjectVersions, of one key: the prefix must be a whole key. */
export async function listObjectVersions(request: S3Request): Promise<HttpResponse> {
  requireAccess(request, 's3:ListBucketVersions');
  const { name, store } = request.bucket;
  const Prefix = queryValue(request.received, 'prefix') ?? '';
  const versions = await store.versions(Prefix);
  const describe = ({ versionId, lastModified }: ObjectVersion) => ({
    Key: Prefix,
    VersionId: versionId,
    IsLatest: versionId === versions[0]?.versionId,
    LastModified: new Date(lastModified).toISOString(),
  });
  const result = {
    Name: name,
    Prefix,
    MaxKeys: 1000,
    IsTruncated: false,
    Version: versions
      .filter(({ deleteMarker }) => !deleteMarker)
      .map((version) => ({ ...describe(version), ETag: `"${version.etag}"`, Size: version.size })),
    DeleteMarker: versions.filter(({ deleteMarker }) => deleteMarker).map(describe),
  };
  const body = xmlDocument('ListVersionsResult', result, 'http://s3.amazonaws.com/doc/2006-03-01/');
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
