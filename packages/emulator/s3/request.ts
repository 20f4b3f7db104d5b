import type { Access } from '../iam/authorize.ts';
import { type QueryParameter, queryValue, type ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import type { S3Caller } from './caller.ts';
import { accessDenied, invalidArgument } from './errors.ts';
import type { ObjectStore, PrepareObject } from './object-store.ts';
import { isVersionId, markerHeaders, type ObjectVersion } from './object-version.ts';

/** Dependencies of the operations on one bucket. */
export interface BucketDependencies extends Access {
  readonly name: string;
  readonly store: ObjectStore;
  /** True if `If-None-Match` in the query is ignored, for tests. */
  readonly ignoresIfNoneMatch: boolean;
  /** Prepares the new objects of a bucket. */
  readonly prepareFor: (bucketName: string, request: ReceivedRequest) => PrepareObject;
}

/** An authentic request to a bucket that exists. */
export interface S3Request {
  readonly received: ReceivedRequest;
  readonly caller: S3Caller;
  /** Decoded key; empty for a request to the bucket itself. */
  readonly key: string;
  readonly bucket: BucketDependencies;
}

/** @throws {AwsError} 403 AccessDenied */
export function requireAccess(request: S3Request, action: string): void {
  if (!isAllowed(request, action, request.key)) {
    throw accessDenied();
  }
}

/**
 * S3 reports that a key does not exist only to a caller who may list the bucket (S3 API reference, GetObject,
 * "Permissions").
 */
export function noSuchKey(request: S3Request, Key: string, marker?: ObjectVersion): AwsError {
  if (!isAllowed(request, 's3:ListBucket', '')) {
    return accessDenied();
  }
  const headers = marker && markerHeaders(marker);
  return new AwsError(404, 'NoSuchKey', 'The specified key does not exist.', { Key }, headers);
}

/**
 * Finds the version that a request names, or else the newest version. The version can be a delete marker.
 *
 * @param missingKey key in the error message
 * @throws {AwsError} 404 when there is no such version
 */
export async function requireVersion(request: S3Request, missingKey = request.key): Promise<ObjectVersion> {
  const versionId = namedVersion(request);
  if (versionId === undefined) {
    const latest = await request.bucket.store.latest(request.key);
    if (latest === undefined) {
      throw noSuchKey(request, missingKey);
    }
    return latest;
  }
  const version = await findVersion(request, versionId);
  if (version === undefined) {
    const text = 'The specified version does not exist.';
    throw new AwsError(404, 'NoSuchVersion', text, { Key: request.key, VersionId: versionId });
  }
  return version;
}

/** Only DELETE can be applied to a delete marker. */
export function methodNotAllowed({ received }: S3Request, marker: ObjectVersion): AwsError {
  const text = 'The specified method is not allowed against this resource.';
  const details = { Method: received.method, ResourceType: 'DeleteMarker' };
  return new AwsError(405, 'MethodNotAllowed', text, details, { ...markerHeaders(marker), allow: 'DELETE' });
}

/** Returns the version ID in a request; undefined without a version ID. */
export function namedVersion({ received }: S3Request): string | undefined {
  return queryValue(received, 'versionId');
}

/**
 * Finds the version with an ID; returns undefined when there is none.
 *
 * @throws {AwsError} InvalidArgument for text that is not a version ID
 */
export async function findVersion(
  { bucket, key }: S3Request,
  versionId: string,
): Promise<ObjectVersion | undefined> {
  const version = await bucket.store.version(key, versionId);
  if (version === undefined && !isVersionId(versionId)) {
    throw invalidArgument('Invalid version id specified', 'versionId', versionId);
  }
  return version;
}

/**
 * Returns the name of the permission for an action on the newest version, or on the version that the request
 * names.
 */
export function versionedAction(request: S3Request, action: string): string {
  if (namedVersion(request) === undefined) {
    return `s3:${action}`;
  }
  return `s3:${action.replace('Object', 'ObjectVersion')}`;
}

function isAllowed({ bucket, caller }: S3Request, action: string, key: string): boolean {
  const bucketArn = `arn:${bucket.stack.partition}:s3:::${bucket.name}`;
  return bucket.authorize({
    principal: caller.principal,
    action,
    resource: key === '' ? bucketArn : `${bucketArn}/${key}`,
    context: { 's3:signatureAge': String(caller.signatureAgeMilliseconds) },
  }).allowed;
}

/** Returns an option that S3 accepts as a header, or as a query parameter of a presigned URL. */
export function requestOption(request: ReceivedRequest, name: string): string | undefined {
  const matches = (parameter: QueryParameter) => parameter.name.toLowerCase() === name;
  return request.headers[name] ?? request.query.find(matches)?.value;
}
