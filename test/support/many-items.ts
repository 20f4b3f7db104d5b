import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Item, timestamp } from '../../storage/attributes.ts';
import type { FakeAws } from './fake-aws.ts';

/** 2026-01-01T00:00:00Z */
const start = 1_767_225_600_000;

/** Clients of 50 organisations. Their ids are in another order than their times. */
export function* manyClients(count: number): Generator<Item> {
  for (let index = 0; index < count; index += 1) {
    const number = String((index * 7919) % count).padStart(26, '0');
    const created_at = { S: timestamp(new Date(start + index * 60_000)) };
    yield {
      client_id: { S: `client_${number}` },
      organisation_id: { S: `organisation-${index % 50}` },
      name: { S: `Nightly export ${index}` },
      scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
      status: { S: index % 9 === 0 ? 'revoked' : 'active' },
      secrets: {
        L: [{ M: { secret_id: { S: `secret_${number}` }, sha256: { S: '0'.repeat(64) }, created_at } }],
      },
      created_at,
    };
  }
}

/** Writes items, some batches at the same time. DynamoDB takes 25 items in one. */
export async function writeItems(aws: FakeAws, table: string, items: Iterable<Item>): Promise<void> {
  const client = new DynamoDBClient(aws.deployment.awsConfig);
  const requests = Array.from(items, (Item) => ({ PutRequest: { Item } }));
  const write = async () => {
    for (let batch = requests.splice(0, 25); batch.length > 0; batch = requests.splice(0, 25)) {
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }));
    }
  };
  await Promise.all([write(), write(), write(), write()]);
  client.destroy();
}
