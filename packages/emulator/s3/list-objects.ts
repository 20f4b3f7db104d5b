import type { Answer } from '../protocols/answer.ts';
import { queryValue } from '../protocols/request.ts';
import { xmlDocument } from '../protocols/xml.ts';
import { compareKeys } from './bucket-files.ts';
import { invalidArgument, notImplemented } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';
import { requireAccess, type S3Request } from './request.ts';

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** ListObjectsV2: the newest version of each key, without those that are deleted. */
export async function listObjects(request: S3Request): Promise<Answer> {
  const { received, bucket } = request;
  const { prefix, limit } = prepareList(request, 's3:ListBucket');
  const after =
    decodeToken(queryValue(received, 'continuation-token')) ?? queryValue(received, 'start-after') ?? '';
  const found: ObjectVersion[] = [];
  for (const key of await matchingKeys(request, prefix)) {
    if (compareKeys(key, after) <= 0) {
      continue;
    }
    const latest = await bucket.store.latest(key);
    if (latest !== undefined && !latest.deleteMarker) {
      found.push(latest);
    }
    if (found.length > limit) {
      break;
    }
  }
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return xmlAnswer('ListBucketResult', {
    Name: bucket.name,
    Prefix: encodeKey(request, prefix),
    KeyCount: page.length,
    MaxKeys: limit,
    EncodingType: queryValue(received, 'encoding-type'),
    IsTruncated: isTruncated,
    NextContinuationToken: isTruncated ? encodeToken(page.at(-1)?.key ?? '') : undefined,
    Contents: page.map((version) => ({
      Key: encodeKey(request, version.key),
      ...description(version),
      StorageClass: 'STANDARD',
    })),
  });
}

/** ListObjectVersions: every version of each key, newest first, and delete markers. A page never ends within a key. */
export async function listObjectVersions(request: S3Request): Promise<Answer> {
  const { received, bucket } = request;
  const { prefix, limit } = prepareList(request, 's3:ListBucketVersions');
  const after = queryValue(received, 'key-marker') ?? '';
  const entries: { version: ObjectVersion; isLatest: boolean }[] = [];
  let next: string | undefined;
  let last = '';
  for (const key of await matchingKeys(request, prefix)) {
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
    Key: encodeKey(request, version.key),
    VersionId: version.versionId,
    IsLatest: isLatest,
    ...(version.deleteMarker
      ? { LastModified: isoTime(version) }
      : { ...description(version), StorageClass: 'STANDARD' }),
  });
  return xmlAnswer('ListVersionsResult', {
    Name: bucket.name,
    Prefix: encodeKey(request, prefix),
    KeyMarker: encodeKey(request, after),
    MaxKeys: limit,
    EncodingType: queryValue(received, 'encoding-type'),
    IsTruncated: next !== undefined,
    NextKeyMarker: next === undefined ? undefined : encodeKey(request, next),
    Version: entries.filter(({ version }) => !version.deleteMarker).map(describe),
    DeleteMarker: entries.filter(({ version }) => version.deleteMarker).map(describe),
  });
}

function prepareList(
  request: S3Request,
  action: string,
): { readonly prefix: string; readonly limit: number } {
  const { received } = request;
  const prefix = queryValue(received, 'prefix') ?? '';
  requireAccess(request, action, { 's3:prefix': prefix });
  if (queryValue(received, 'delimiter') !== undefined) {
    throw notImplemented('delimiter');
  }
  const text = queryValue(received, 'max-keys') ?? '1000';
  if (!/^\d+$/.test(text)) {
    throw invalidArgument('Provided max-keys not an integer or within integer range', 'max-keys');
  }
  return { prefix, limit: Math.min(1000, Number(text)) };
}

async function matchingKeys({ bucket }: S3Request, prefix: string): Promise<string[]> {
  return bucket.store.keys(prefix);
}

function description(version: ObjectVersion) {
  const { etag, size, checksum } = version;
  return {
    LastModified: isoTime(version),
    ETag: `"${etag}"`,
    ...(checksum === undefined ? {} : { ChecksumAlgorithm: checksum.algorithm, ChecksumType: 'FULL_OBJECT' }),
    Size: size,
  };
}

function isoTime({ lastModified }: ObjectVersion): string {
  return new Date(lastModified).toISOString();
}

function encodeKey({ received }: S3Request, key: string): string {
  return queryValue(received, 'encoding-type') === 'url'
    ? encodeURIComponent(key).replaceAll('%2F', '/')
    : key;
}

function encodeToken(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decodeToken(token: string | undefined): string | undefined {
  return token === undefined ? undefined : Buffer.from(token, 'base64url').toString('utf8');
}

function xmlAnswer(root: string, content: Parameters<typeof xmlDocument>[1]): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument(root, content, namespace),
  };
}
