import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { InternalError } from '../shared/log/log.ts';
import { type CreatedObject, headObject, withoutQuotes } from '../shared/recording/bucket.ts';

/** Bucket operations of the reconciliation, besides the reads for recording. */
export interface DueObjects {
  /**
   * Reads the current version of an object; undefined if the key is free, or a delete marker hides the
   * object.
   */
  readonly find: (key: string) => Promise<CreatedObject | undefined>;
  /** Deletes an object. Its versions are kept for the retention time of replaced content. */
  readonly deleteObject: (key: string) => Promise<void>;
}

/** Creates the bucket operations of the reconciliation with S3. */
export function createDueObjects(s3: S3Client, bucketName: string): DueObjects {
  return {
    find: (key) => findObject(s3, bucketName, key),
    // In a bucket with versions, this call adds a delete marker.
    deleteObject: async (key) => {
      await s3.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }));
    },
  };
}

/** @throws {InternalError} if the response of S3 is incomplete */
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
