import type { PutObjectCommandInput, Tag } from '@aws-sdk/client-s3';

/**
 * An empty object version that says something about its key: `cancelled` closes an upload URL, and `superseded`
 * marks content that a later upload replaced and starts the clock of its retention.
 */
export type Tombstone = 'cancelled' | 'superseded';

const tagName = 'tombstone';

/** A tombstone to put, without the bucket. */
export function tombstoneObject(
  objectKey: string,
  tombstone: Tombstone,
): Omit<PutObjectCommandInput, 'Bucket'> {
  return {
    Key: objectKey,
    Body: new Uint8Array(0),
    // Without a length the SDK takes an empty body for a stream that may never end, and warns.
    ContentLength: 0,
    Tagging: `${tagName}=${tombstone}`,
  };
}

/** @returns which tombstone an object version is by its tags; undefined when it is none */
export function tombstoneOf(tags: readonly Tag[]): string | undefined {
  return tags.find(({ Key: name }) => name === tagName)?.Value;
}
