import { GetObjectTaggingCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { tombstoneObject, tombstoneOf } from '../../storage/tombstone.ts';

/** The reads and writes of the bucket that recording needs. */
export interface Bucket {
  /** Reads which tombstone an object version is; undefined when it is not a tombstone. */
  readonly readTombstone: (objectKey: string, versionId: string) => Promise<string | undefined>;
  readonly putSupersededTombstone: (objectKey: string) => Promise<void>;
}

/** The bucket in S3. */
export function createBucket(s3: S3Client, bucketName: string): Bucket {
  return {
    readTombstone: async (objectKey, versionId) => {
      // Stryker disable next-line ArrayDeclaration: what stands there instead is a text, which is no tag with a name
      const { TagSet = [] } = await s3.send(
        new GetObjectTaggingCommand({ Bucket: bucketName, Key: objectKey, VersionId: versionId }),
      );
      return tombstoneOf(TagSet);
    },
    putSupersededTombstone: async (objectKey) => {
      const tombstone = tombstoneObject(objectKey, 'superseded');
      await s3.send(new PutObjectCommand({ Bucket: bucketName, ...tombstone }));
    },
  };
}
