import {
  GetObjectTaggingCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { tombstoneObject, tombstoneOf } from '../../storage/tombstone.ts';

/** The reads and writes of the bucket that recording needs. */
export interface Bucket {
  /** Reads which tombstone an object version is; undefined when it is not a tombstone. */
  readonly readTombstone: (objectKey: string, versionId: string) => Promise<string | undefined>;
  readonly putSupersededTombstone: (objectKey: string) => Promise<void>;
  /** The ids of all versions of an object, tombstones included, in the order in which S3 stored them: the first is first. */
  readonly listVersions: (objectKey: string) => Promise<readonly string[]>;
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
    listVersions: (objectKey) => listVersions(s3, bucketName, objectKey),
  };
}

/**
 * S3 lists the versions of a key from the newest to the oldest (API reference, ListObjectVersions, examples). A list
 * shows every version whose PUT was answered (User Guide, "Amazon S3 data consistency model").
 */
async function listVersions(s3: S3Client, bucketName: string, objectKey: string): Promise<readonly string[]> {
  const newestFirst: string[] = [];
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
    const versions = (page.Versions ?? []).filter(({ Key }) => Key === objectKey);
    newestFirst.push(...versions.flatMap(({ VersionId }) => VersionId ?? []));
  } while (page.IsTruncated);
  return newestFirst.reverse();
}
