import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { InternalError } from '../shared/log/log.ts';
import { type CreatedObject, headObject, withoutQuotes } from '../shared/recording/bucket.ts';

/** What the reconciliation asks of the bucket, besides recording. */
export interface DueObjects {
  /** The current version of an object; undefined when there is none, or a delete marker hides it. */
  readonly find: (key: string) => Promise<CreatedObject | undefined>;
  /** Deletes an object. Its versions are kept for the retention time of replaced content. */
  readonly deleteObject: (key: string) => Promise<void>;
}

/** The bucket in S3. */
export function createDueObjects(s3: S3Client, bucketName: string): DueObjects {
  return {
    find: (key) => findObject(s3, bucketName, key),
    // In a bucket with versions, this call adds a delete marker.
    deleteObject: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }));
    },
  };
}

/** @throws {InternalError} when S3 does not say what the object is */
async function findObject(s3: S3Client, bucketName: string, key: string): Promise<CreatedObject | undefined> {
  const head = await headObject(s3, { Bucket: bucketName, Key: key });
  if (head === undefined) {
    return undefined;
  }
  const { VersionId: versionId, ContentLength: size, ETag: etag, LastModified: createdAt } = head;
  if (versionId === undefined || size === undefined || etag === undefined || createdAt === undefined) {
    throw new InternalError(`S3 does not describe the object ${key}`);
  }
  return { key, versionId, size, etag: withoutQuotes(etag), createdAt };
}
