import { queryValue } from '../protocols/request.ts';
import { xmlDocument } from '../protocols/xml.ts';
import type { HttpResponse } from '../server/write-response.ts';
import type { ObjectVersion } from './object-version.ts';
import { requireAccess, type S3Request } from './request.ts';

/** ListObjectsV2, in the order of the keys. A continuation token is the last key of the page before. */
export async function listObjects(request: S3Request): Promise<HttpResponse> {
  requireAccess(request, 's3:ListBucket');
  const { name, store } = request.bucket;
  const value = (parameter: string) => queryValue(request.received, parameter);
  const Prefix = value('prefix') ?? '';
  const after = value('continuation-token') ?? '';
  const MaxKeys = Math.min(Number(value('max-keys') ?? 1000), 1000);
  const found: ObjectVersion[] = [];
  for (const key of (await store.keys()).toSorted()) {
    const isNext = key.startsWith(Prefix) && key > after && found.length <= MaxKeys;
    const latest = isNext ? await store.latest(key) : undefined;
    found.push(...(latest?.deleteMarker === false ? [latest] : []));
  }
  const page = found.slice(0, MaxKeys);
  const IsTruncated = found.length > MaxKeys;
  const result = {
    Name: name,
    Prefix,
    KeyCount: page.length,
    MaxKeys,
    IsTruncated,
    NextContinuationToken: IsTruncated ? page.at(-1)?.key : undefined,
    Contents: page.map(({ key, lastModified, etag, size }) => ({
      Key: key,
      LastModified: new Date(lastModified).toISOString(),
      ETag: `"${etag}"`,
      Size: size,
    })),
  };
  const body = xmlDocument('ListBucketResult', result, 'http://s3.amazonaws.com/doc/2006-03-01/');
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
