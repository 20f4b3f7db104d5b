import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';

/** The time-to-live attribute of every table: see storage/attributes.ts. */
export const timeToLiveName = 'delete_after';

/** Keys of a table. All of them are strings. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: readonly {
    readonly name: string;
    readonly partitionKey: string;
    readonly sortKey: string;
    /**
     * Attributes that the index contains besides the keys. Absent: all. An update that changes none of them
     * does not write to the index (DynamoDB, "Using Global Secondary Indexes").
     */
    readonly attributes?: readonly string[];
    /** Items may lack the keys of the index. DynamoDB leaves such items out of the index. */
    readonly sparse?: true;
    /** All values of the partition key, for an index that lists every item of the table. */
    readonly shards?: readonly string[];
  }[];
}

/**
 * Index of all items of a table in the order of creation. Its one partition supports 1,000 writes a second,
 * because only operators create such items. The index contains only keys, which never change.
 */
export const newestIndex = {
  name: 'newest',
  partitionKey: 'list_shard',
  sortKey: 'created_at',
  attributes: [],
  shards: ['0'],
} as const;

/**
 * Index of the clients or files of each organisation, in the order of creation. Besides keys, it contains the
 * time of the deletion, so a count needs no item. Only a deletion and its undo write to the index.
 */
export const byCreationIndex = {
  name: 'by-creation',
  partitionKey: 'organisation_id',
  sortKey: 'created_at',
  attributes: ['deleted_at'],
} as const;

/** Queries one partition of an index up to a time, oldest first. Reads of an index are eventually consistent. */
export function queryUntil(
  { name, partitionKey, sortKey }: TableKeys['indexes'][number],
  partition: string,
  until: string,
): Omit<QueryCommandInput, 'TableName'> {
  return {
    IndexName: name,
    KeyConditionExpression: '#partition = :partition AND #sort <= :until',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': { S: partition }, ':until': { S: until } },
  };
}

/** Attributes of a new item that put it into {@link newestIndex}. */
export const newestAttributes = { list_shard: '0' } as const;

/**
 * Waits for a conditional write of DynamoDB.
 *
 * @returns the response, or `rejected` if the condition failed and the item did not change
 * @throws any other error of the write
 *
 * @example
 * ```ts
 * const write = dynamodb.send(new UpdateItemCommand({ TableName, ...updateToRevoked(clientId, now) }));
 * const isRevoked = (await conditionalWrite(write)) !== 'rejected';
 * ```
 */
export async function conditionalWrite<Output>(write: Promise<Output>): Promise<Output | 'rejected'> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') {
      return 'rejected';
    }
    throw error;
  }
}
