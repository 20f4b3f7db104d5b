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
  /** IP address of the sender. Only events contain it. */
  readonly sourceIp?: string | undefined;
  /** The ARN of the operator who replayed the event. */
  readonly operator?: string | undefined;
}

export type Bucket = ReturnType<typeof createBucket>;

/** Creates the bucket reads for recording with S3. */
export function createBucket(s3: S3Client, bucketName: string) {
  return {
    /** Reads the kind of tombstone of an object version; undefined if it is not a tombstone. */
    readTombstone: async (objectKey: string, versionId: string) => {
      // Stryker disable next-line ArrayDeclaration: the text that replaces the list is no tag with a name
      const { TagSet = [] } = await s3.send(
        new GetObjectTaggingCommand({ Bucket: bucketName, Key: objectKey, VersionId: versionId }),
      );
      return tombstoneOf(TagSet);
    },
    /**
     * Reads the CRC-64/NVME of a version from S3, in base64. Undefined if S3 stores none, or the version is
     * gone. S3 computes the checksum of an object that was sent without one (docs/aws-facts.md,
     * `s3-checksum-of-url`).
     */
    readChecksum: async (objectKey: string, versionId: string) => {
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
 * Reads the headers of an object.
 *
 * @returns undefined if the object or version does not exist, or a delete marker hides the object
 * @throws {Error} if S3 responds with 403. A caller without permission to list the bucket also gets 403 for a
 * missing key (API reference, HeadObject)
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

/** Removes the quotes of an ETag. S3 quotes ETags in most places; they are stored without quotes. */
export function withoutQuotes(etag: string): string {
  return etag.replaceAll('"', '');
}
