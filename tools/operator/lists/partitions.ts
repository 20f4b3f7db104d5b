import type { AttributeValue, DynamoDBClient, ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Table } from '../deployment/items.ts';

/** An index, and the names of its keys. */
export interface PartitionedIndex {
  readonly table: Table;
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Partition key of the table itself. */
  readonly idKey: string;
}

/** So many parts of the index are searched at the same time. */
const segments = 8;

/**
 * Sorts after every sort key and id: times, UUIDs and ids are of ASCII letters, digits and punctuation, and no id begins
 * with it.
 */
export const afterEveryKey = '~';

/**
 * The values of an index's partition key. A scan that starts after the last possible key of one partition gives the first
 * item of the next one. So each partition costs one read, however many items it has (AWS Database Blog, "Generate a
 * distinct set of partition keys for an Amazon DynamoDB table efficiently").
 */
export async function findPartitions(
  deployment: Deployment,
  index: PartitionedIndex,
): Promise<readonly string[]> {
  const client = await dynamoDBClient(deployment);
  const tableName = deployment.outputs[index.table];
  const found = await Promise.all(
    Array.from({ length: segments }, (_, segment) => search(client, index, { tableName, segment })),
  );
  return found.flat();
}

async function search(
  client: DynamoDBClient,
  index: PartitionedIndex,
  { tableName, segment }: { readonly tableName: string; readonly segment: number },
): Promise<readonly string[]> {
  const { ScanCommand } = await import('@aws-sdk/client-dynamodb');
  const { name, partitionKey } = index;
  const scan = { TableName: tableName, IndexName: name, Segment: segment, TotalSegments: segments, Limit: 1 };
  const found: string[] = [];
  let start: Record<string, AttributeValue> | undefined;
  do {
    const answer: ScanCommandOutput = await client.send(
      new ScanCommand({ ...scan, ...(start && { ExclusiveStartKey: start }) }),
    );
    const value = answer.Items?.[0]?.[partitionKey]?.S;
    if (value !== undefined) {
      found.push(value);
    }
    // A page may be empty although the segment goes on.
    start = answer.LastEvaluatedKey && (value === undefined ? answer.LastEvaluatedKey : endOf(index, value));
  } while (start !== undefined);
  return found;
}

/** A key after all items of a partition. */
function endOf({ partitionKey, sortKey, idKey }: PartitionedIndex, value: string) {
  const last = { S: afterEveryKey };
  return { [sortKey]: last, [idKey]: last, [partitionKey]: { S: value } };
}
