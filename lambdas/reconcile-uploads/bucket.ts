import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { InternalError } from '../shared/log/log.ts';
import { type CreatedObject, headObject, withoutQuotes } from '../shared/recording/bucket.ts';

export type DueObjects = ReturnType<typeof createDueObjects>;

/** Creates the bucket operations of the reconciliation with S3, besides the reads for recording. */
export function createDueObjects(s3: S3Client, bucketName: string) {
  return {
    /**
     * Reads the current version of an object; undefined if the key is free, or a delete marker hides the
     * object.
     */
    find: (key: string) => findObject(s3, bucketName, key),
    /** Deletes an object. Its versions are kept for the retention time of replaced content. */
    // In a bucket with versions, this call adds a delete marker.
    deleteObject: async (key: string) => {
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
