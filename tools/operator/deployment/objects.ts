import type { S3ServiceException } from '@aws-sdk/client-s3';
import { type Tombstone, tombstoneObject, tombstoneOf } from '../../../storage/tombstone.ts';
import { OperationError } from '../errors.ts';
import { s3Client } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** A version of an object. */
interface Version {
  readonly VersionId?: string | undefined;
}

async function bucketOf(deployment: Deployment) {
  return { s3: await s3Client(deployment), Bucket: deployment.outputs.BucketName };
}

/**
 * Reads the metadata of an object from S3. Needs `s3:ListBucket` as well: without it, S3 responds with 403
 * for a missing object.
 *
 * @param VersionId version of the object. Default: the newest
 * @returns undefined when there is no such object
 */
export async function headObject(deployment: Deployment, Key: string, VersionId?: string) {
  const { s3, Bucket } = await bucketOf(deployment);
  try {
    return await s3.headObject({ Bucket, Key, VersionId });
  } catch (error) {
    // The response to HEAD has no body, so the SDK knows only the status.
    const { name, $metadata } = Object(error) as Partial<S3ServiceException>;
    if (name === 'NotFound' || name === 'NoSuchVersion') {
      return undefined;
    }
    if ($metadata?.httpStatusCode === 403) {
      throw new OperationError(
        'S3 responded with 403: the AWS credentials do not allow s3:GetObject or s3:GetObjectVersion, or are not valid.',
      );
    }
    throw error;
  }
}

/**
 * Puts a tombstone on a key.
 *
 * @param IfNoneMatch `*` to write only if the key has no object
 */
export async function putTombstone(
  deployment: Deployment,
  key: string,
  tombstone: Tombstone,
  IfNoneMatch?: '*',
): Promise<void> {
  const { s3, Bucket } = await bucketOf(deployment);
  await s3.putObject({ Bucket, ...tombstoneObject(key, tombstone), IfNoneMatch });
}

/**
 * Reads the tombstone at a key.
 *
 * @param VersionId version of the object. Default: the newest
 * @returns undefined when the object is no tombstone
 */
export async function readTombstone(deployment: Deployment, Key: string, VersionId?: string) {
  const { s3, Bucket } = await bucketOf(deployment);
  const { TagSet = [] } = await s3.getObjectTagging({ Bucket, Key, VersionId });
  return tombstoneOf(TagSet);
}

/** Lists all versions and delete markers of a key, up to 1,000 (docs/aws-facts.md, `s3-consistency`). */
export async function listVersions(deployment: Deployment, Key: string) {
  const { s3, Bucket } = await bucketOf(deployment);
  const { Versions = [], DeleteMarkers = [] } = await s3.listObjectVersions({ Bucket, Prefix: Key });
  return { objects: Versions, markers: DeleteMarkers };
}

/** Deletes versions of a key. This needs the right to delete versions, which no function has. */
export async function deleteVersions(
  deployment: Deployment,
  Key: string,
  versions: readonly Version[],
): Promise<void> {
  const { s3, Bucket } = await bucketOf(deployment);
  for (const { VersionId } of versions) {
    await s3.deleteObject({ Bucket, Key, VersionId });
  }
}

/**
 * Finds the versions that a deletion put above the bytes of a key: tombstones, and delete markers. Without them, the
 * bytes are the newest version again.
 *
 * @param versionId recorded version of the bytes. Undefined for bytes that were never recorded
 * @returns undefined if S3 no longer has the bytes
 */
export async function findCovers(
  deployment: Deployment,
  Key: string,
  versionId?: string,
): Promise<readonly Version[] | undefined> {
  const { objects, markers } = await listVersions(deployment, Key);
  const covers: Version[] = [...markers];
  let isKept = false;
  for (const { VersionId, Size } of objects) {
    const tombstone = Size === 0 ? await readTombstone(deployment, Key, VersionId) : undefined;
    if (tombstone === 'superseded') {
      covers.push({ VersionId });
    } else if (tombstone === undefined) {
      isKept ||= versionId === undefined || versionId === VersionId;
    }
  }
  return isKept ? covers : undefined;
}
