import { queryValue } from '../protocols/request.ts';
import { xmlDocument } from '../protocols/xml.ts';
import type { Answer } from '../server/write-answer.ts';
import { compareKeys } from './bucket-files.ts';
import { invalidArgument } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';
import { requireAccess, type S3Request } from './request.ts';

/** ListObjectVersions: every version of each key, newest first, and delete markers. A page never ends within a key. */
export async function listObjectVersions(request: S3Request): Promise<Answer> {
  const { received, bucket } = request;
  const { prefix, limit } = readQuery(request);
  const after = queryValue(received, 'key-marker') ?? '';
  const entries: { version: ObjectVersion; isLatest: boolean }[] = [];
  let next: string | undefined;
  let last = '';
  for (const key of await bucket.store.keys(prefix)) {
    if (compareKeys(key, after) <= 0) {
      continue;
    }
    if (entries.length >= limit) {
      next = last;
      break;
    }
    const versions = await bucket.store.versions(key);
    entries.push(...versions.map((version, i) => ({ version, isLatest: i === 0 })));
    last = key;
  }
  const describe = ({ version, isLatest }: (typeof entries)[number]) => ({
    Key: version.key,
    VersionId: version.versionId,
    IsLatest: isLatest,
    ...(version.deleteMarker
      ? { LastModified: isoTime(version) }
      : { ...description(version), StorageClass: 'STANDARD' }),
  });
  const body = xmlDocument(
    'ListVersionsResult',
    {
      Name: bucket.name,
      Prefix: prefix,
      KeyMarker: after,
      MaxKeys: limit,
      IsTruncated: next !== undefined,
      NextKeyMarker: next,
      Version: entries.filter(({ version }) => !version.deleteMarker).map(describe),
      DeleteMarker: entries.filter(({ version }) => version.deleteMarker).map(describe),
    },
    'http://s3.amazonaws.com/doc/2006-03-01/',
  );
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function readQuery(request: S3Request): { readonly prefix: string; readonly limit: number } {
  const { received } = request;
  const prefix = queryValue(received, 'prefix') ?? '';
  requireAccess(request, 's3:ListBucketVersions', { 's3:prefix': prefix });
  const text = queryValue(received, 'max-keys') ?? '1000';
  if (!/^\d+$/.test(text)) {
    throw invalidArgument('Provided max-keys not an integer or within integer range', 'max-keys');
  }
  return { prefix, limit: Math.min(1000, Number(text)) };
}

function description(version: ObjectVersion) {
  const { etag, size, checksum } = version;
  return {
    LastModified: isoTime(version),
    ETag: `"${etag}"`,
    ChecksumAlgorithm: checksum?.algorithm,
    ChecksumType: checksum && 'FULL_OBJECT',
    Size: size,
  };
}

function isoTime({ lastModified }: ObjectVersion): string {
  return new Date(lastModified).toISOString();
}
