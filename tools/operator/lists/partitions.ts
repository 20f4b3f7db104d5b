import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds } from '../deployment/items.ts';

/** An index, and the names of its keys. */
export interface PartitionedIndex {
  readonly kind: Kind;
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** The number of parts of the index that are searched at the same time. */
const segments = 8;

/**
 * Sorts after every sort key and id: times, UUIDs and ids are ASCII letters, digits and punctuation, and no id begins
 * with this character.
 */
export const afterEveryKey = '~';

/**
 * The values of an index's partition key. A scan that starts after the last possible key of one partition gives the first
 * item of the next one. So a partition costs one read, however many items it has (AWS Database Blog, "Generate a
 * distinct set of partition keys for an Amazon DynamoDB table efficiently").
 */
export async function findPartitions(
  deployment: Deployment,
  index: PartitionedIndex,
): Promise<readonly string[]> {
  const client = await dynamoDBClient(deployment);
  const { kind, name: IndexName, partitionKey } = index;
  const scan = { TableName: deployment.outputs[kinds[kind].table], IndexName, TotalSegments: segments };
  const found: string[] = [];
  const searchSegment = async (Segment: number) => {
    let ExclusiveStartKey: Item | undefined;
    do {
      const answer: ScanCommandOutput = await client.scan({ ...scan, Segment, Limit: 1, ExclusiveStartKey });
      const value = answer.Items?.[0]?.[partitionKey]?.S;
      if (value !== undefined) {
        found.push(value);
      }
      // A page may be empty although the segment goes on.
      const end = answer.LastEvaluatedKey;
      ExclusiveStartKey = end && value !== undefined ? endOf(index, value) : end;
    } while (ExclusiveStartKey !== undefined);
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => searchSegment(segment)));
  return found;
}

/** A key after all items of a partition. */
function endOf({ kind, partitionKey, sortKey }: PartitionedIndex, value: string): Item {
  const last = { S: afterEveryKey };
  return { [sortKey]: last, [kinds[kind].key]: last, [partitionKey]: { S: value } };
}
