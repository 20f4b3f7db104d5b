import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';
import { InternalError } from '../shared/log/log.ts';
import { type CreatedObject, headObject, withoutQuotes } from '../shared/recording/bucket.ts';

/** What the reconciliation asks of the bucket, besides recording. */
export interface DueObjects {
  /** Whether there is an object under the key now. */
  readonly exists: (key: string) => Promise<boolean>;
  /** The version of an object that S3 stored first; undefined when there is none. */
  readonly readFirstVersion: (key: string) => Promise<CreatedObject | undefined>;
  /** Deletes an object. Its versions are kept for the retention time of replaced content. */
  readonly deleteObject: (key: string) => Promise<void>;
}

/** The bucket in S3. */
export function createDueObjects(s3: S3Client, bucketName: string): DueObjects {
  return {
    exists: async (key) => (await headObject(s3, { Bucket: bucketName, Key: key })) !== undefined,
    readFirstVersion: (key) => readFirstVersion(s3, bucketName, key),
    // In a bucket with versions, that adds a delete marker.
    deleteObject: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }));
    },
  };
}

/** @throws {InternalError} when S3 does not say what the version is */
async function readFirstVersion(
  s3: S3Client,
  bucketName: string,
  key: string,
): Promise<CreatedObject | undefined> {
  const first = (await listVersions(s3, bucketName, key)).at(-1);
  if (first === undefined) {
    return undefined;
  }
  const { VersionId: versionId, Size: size, ETag: etag, LastModified: createdAt } = first;
  if (versionId === undefined || size === undefined || etag === undefined || createdAt === undefined) {
    throw new InternalError(`S3 does not describe the version of ${key}`);
  }
  return { key, versionId, size, etag: withoutQuotes(etag), createdAt };
}

/**
 * The versions of a key from the newest to the oldest, as S3 lists them (API reference, ListObjectVersions, examples). A
 * list shows every version whose PUT was answered (User Guide, "Amazon S3 data consistency model").
 */
async function listVersions(
  s3: S3Client,
  bucketName: string,
  objectKey: string,
): Promise<readonly ObjectVersion[]> {
  const versions: ObjectVersion[] = [];
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    page = await s3.send(
      new ListObjectVersionsCommand({
        Bucket: bucketName,
        Prefix: objectKey,
        KeyMarker: page?.NextKeyMarker,
        VersionIdMarker: page?.NextVersionIdMarker,
      }),
    );
    // A prefix also matches longer keys.
    versions.push(...(page.Versions ?? []).filter(({ Key }) => Key === objectKey));
  } while (page.IsTruncated);
  return versions;
}
