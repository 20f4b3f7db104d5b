import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import dynalite from 'dynalite';
import type { TableKeys } from '../../storage/table.ts';
import { listen } from './listen.ts';

/**
 * Starts a DynamoDB with one table for each name, with all its indexes.
 *
 * @param path folder of the data; by default in memory
 */
export async function startDynamodb(keys: Readonly<Record<string, TableKeys>>, path?: string) {
  const server = dynalite({ createTableMs: 0, path });
  const client = new DynamoDB({
    endpoint: await listen(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  for (const [TableName, table] of Object.entries(keys)) {
    await client.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...definitionOf(table) });
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName });
  }
  const stop = async () => {
    client.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  atEnd(stop);
  return { client, stop };
}

/** Keys and indexes, in the format of CloudFormation and CreateTable. */
export function definitionOf({ partitionKey, indexes }: TableKeys) {
  const names = new Set([partitionKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])]);
  return {
    AttributeDefinitions: [...names].map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
    KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' as const }],
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' as const },
          { AttributeName: index.sortKey, KeyType: 'RANGE' as const },
        ],
        Projection: projectionOf(index),
      })),
    }),
  };
}

function projectionOf({ attributes }: TableKeys['indexes'][number]) {
  if (attributes === undefined) {
    return { ProjectionType: 'ALL' as const };
  }
  return attributes.length === 0
    ? { ProjectionType: 'KEYS_ONLY' as const }
    : { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...attributes] };
}
