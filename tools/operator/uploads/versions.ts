import { tombstoneOf } from '../../../storage/tombstone.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

interface Version {
  readonly VersionId?: string | undefined;
}

/** Lists all versions and delete markers of a key, up to 1,000 (docs/aws-facts.md, `s3-consistency`). */
export async function listVersions(deployment: Deployment, Key: string) {
  const s3 = await s3Client(deployment);
  const Bucket = deployment.outputs.BucketName;
  const { Versions = [], DeleteMarkers = [] } = await s3.listObjectVersions({ Bucket, Prefix: Key });
  return { objects: Versions, markers: DeleteMarkers };
}

/** Deletes versions of a key. This needs the right to delete versions, which no function has. */
export async function deleteVersions(
  deployment: Deployment,
  Key: string,
  versions: readonly Version[],
): Promise<void> {
  const s3 = await s3Client(deployment);
  for (const { VersionId } of versions) {
    await s3.deleteObject({ Bucket: deployment.outputs.BucketName, Key, VersionId });
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
  const s3 = await s3Client(deployment);
  const covers: Version[] = [...markers];
  let isKept = false;
  for (const { VersionId, Size } of objects) {
    const object = { Bucket: deployment.outputs.BucketName, Key, VersionId };
    const tombstone = Size === 0 ? tombstoneOf((await s3.getObjectTagging(object)).TagSet ?? []) : undefined;
    if (tombstone === 'superseded') {
      covers.push({ VersionId });
    } else if (tombstone === undefined) {
      isKept ||= versionId === undefined || versionId === VersionId;
    }
  }
  return isKept ? covers : undefined;
}
