import { GetObjectTaggingCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ObjectStore } from './upload-store.ts';

/** The bucket, as recording uses it. */
export function createObjectStore(s3: S3Client, bucketName: string): ObjectStore {
  return {
    readTombstone: async (key, versionId) => {
      const { TagSet = [] } = await s3.send(
        new GetObjectTaggingCommand({ Bucket: bucketName, Key: key, VersionId: versionId }),
      );
      return TagSet.find(({ Key: name }) => name === 'tombstone')?.Value;
    },
    putSupersededTombstone: async (key) => {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucketName,
          Key: key,
          Body: new Uint8Array(0),
          // Without a length the SDK takes an empty body for a stream that may never end, and warns.
          ContentLength: 0,
          Tagging: 'tombstone=superseded',
        }),
      );
    },
  };
}
