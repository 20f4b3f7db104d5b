import { GetObjectTaggingCommand, HeadObjectCommand, NotFound, type S3Client } from '@aws-sdk/client-s3';
import { tombstoneOf } from '../../../storage/tombstone.ts';

/** A version of an object, as S3 created it. */
export interface CreatedObject {
  readonly key: string;
  readonly versionId: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly createdAt: Date;
  /** The IP address that sent the bytes. Only events have it. */
  readonly sourceIp?: string | undefined;
  /** The ARN of the operator who replayed the event. */
  readonly operator?: string | undefined;
}

/** The reads of the bucket that recording needs. */
export interface Bucket {
  /** Reads which tombstone an object version is; undefined when it is not a tombstone. */
  readonly readTombstone: (objectKey: string, versionId: string) => Promise<string | undefined>;
  /** The CRC-64/NVME that S3 has of a version, in base64. Undefined when S3 has none, or the version is gone. */
  readonly readChecksum: (objectKey: string, versionId: string) => Promise<string | undefined>;
}

/** The bucket in S3. */
export function createBucket(s3: S3Client, bucketName: string): Bucket {
  return {
    readTombstone: async (objectKey, versionId) => {
      // Stryker disable next-line ArrayDeclaration: the text that replaces the list is no tag with a name
      const { TagSet = [] } = await s3.send(
        new GetObjectTaggingCommand({ Bucket: bucketName, Key: objectKey, VersionId: versionId }),
      );
      return tombstoneOf(TagSet);
    },
    // S3 computes the checksum of an object that came without one (docs/aws-facts.md, `s3-checksum-of-url`).
    readChecksum: async (objectKey, versionId) => {
      const head = await headObject(s3, {
        Bucket: bucketName,
        Key: objectKey,
        VersionId: versionId,
        ChecksumMode: 'ENABLED',
      });
      return head?.ChecksumCRC64NVME;
    },
  };
}

/**
 * Asks for the headers of an object.
 *
 * @returns undefined when there is no such object or version, or a delete marker hides the object
 * @throws {Error} when S3 responds with 403. A caller who may not list the bucket gets 403 also for a key without object (API
 *   reference, HeadObject)
 */
export async function headObject(s3: S3Client, input: ConstructorParameters<typeof HeadObjectCommand>[0]) {
  try {
    return await s3.send(new HeadObjectCommand(input));
  } catch (error) {
    if (error instanceof NotFound) {
      return undefined;
    }
    throw error;
  }
}

/** S3 puts ETags into quotes in most places. They are stored without quotes. */
export function withoutQuotes(etag: string): string {
  return etag.replaceAll('"', '');
}
