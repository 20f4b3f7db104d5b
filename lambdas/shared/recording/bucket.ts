import {
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { tombstoneObject, tombstoneOf } from '../../../storage/tombstone.ts';
import { InternalError } from '../log/log.ts';

/** A version of an object, as it was created. */
export interface CreatedObject {
  readonly key: string;
  readonly versionId: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly createdAt: Date;
}

/** The reads and writes of the bucket that recording needs. */
export interface Bucket {
  /** Reads which tombstone an object version is; undefined when it is not a tombstone. */
  readonly readTombstone: (objectKey: string, versionId: string) => Promise<string | undefined>;
  readonly putSupersededTombstone: (objectKey: string) => Promise<void>;
  /**
   * The CRC-64/NVME that S3 has of a version, in base64. Undefined when S3 has none, or the version is gone.
   */
  readonly readChecksum: (objectKey: string, versionId: string) => Promise<string | undefined>;
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
    readChecksum: (objectKey, versionId) => readChecksum(s3, bucketName, objectKey, versionId),
    listVersions: async (objectKey) => versionIds(await listVersions(s3, bucketName, objectKey)),
  };
}

/** S3 computes the checksum of an object that came without one (docs/aws-facts.md, `s3-checksum-of-url`). */
async function readChecksum(
  s3: S3Client,
  bucketName: string,
  objectKey: string,
  versionId: string,
): Promise<string | undefined> {
  try {
    const { ChecksumCRC64NVME } = await s3.send(
      new HeadObjectCommand({
        Bucket: bucketName,
        Key: objectKey,
        VersionId: versionId,
        ChecksumMode: 'ENABLED',
      }),
    );
    return ChecksumCRC64NVME;
  } catch (error) {
    // S3 answers 403 instead of 404 to those who may not list the bucket (API reference, HeadObject). So the versions
    // tell a deleted version from a missing permission.
    if (versionIds(await listVersions(s3, bucketName, objectKey)).includes(versionId)) {
      throw error;
    }
    return undefined;
  }
}

/**
 * The version of an object that S3 stored first; undefined when there is none.
 *
 * @throws {InternalError} when S3 does not say what the version is
 */
export async function readFirstVersion(
  s3: S3Client,
  bucketName: string,
  key: string,
): Promise<CreatedObject | undefined> {
  const [first] = await listVersions(s3, bucketName, key);
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
 * S3 lists the versions of a key from the newest to the oldest (API reference, ListObjectVersions, examples). A list
 * shows every version whose PUT was answered (User Guide, "Amazon S3 data consistency model").
 */
async function listVersions(
  s3: S3Client,
  bucketName: string,
  objectKey: string,
): Promise<readonly ObjectVersion[]> {
  const newestFirst: ObjectVersion[] = [];
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
    newestFirst.push(...(page.Versions ?? []).filter(({ Key }) => Key === objectKey));
  } while (page.IsTruncated);
  return newestFirst.reverse();
}

function versionIds(versions: readonly ObjectVersion[]): readonly string[] {
  return versions.flatMap(({ VersionId }) => VersionId ?? []);
}

/** S3 puts ETags into quotes in most places. They are stored without. */
export function withoutQuotes(etag: string): string {
  return etag.replaceAll('"', '');
}
