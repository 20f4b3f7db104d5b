import type { PutObjectCommandInput, Tag } from '@aws-sdk/client-s3';

/**
 * An empty object version that marks the state of its key. `cancelled` cancels an upload URL: a later PUT
 * gets 412. `superseded` hides the content of a deleted file, and starts the retention time of that content.
 */
export type Tombstone = (typeof tombstones)[number];

export const tombstones = ['cancelled', 'superseded'] as const;

/** Name of the tag that identifies an object version as a tombstone. */
export const tombstoneTag = 'tombstone';

/** Input of the PUT of a tombstone, without the bucket. */
export function tombstoneObject(
  objectKey: string,
  tombstone: Tombstone,
): Omit<PutObjectCommandInput, 'Bucket'> {
  return {
    Key: objectKey,
    Body: new Uint8Array(0),
    // Without a length, the SDK treats an empty body as a stream of unknown length, and warns.
    ContentLength: 0,
    Tagging: `${tombstoneTag}=${tombstone}`,
  };
}

/** @returns kind of tombstone in the tags of an object version; undefined for any other object */
export function tombstoneOf(tags: readonly Tag[]): string | undefined {
  return tags.find(({ Key: name }) => name === tombstoneTag)?.Value;
}
