import { type AttributeValue, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';

type TableOutput = 'FilesTableName' | 'UploadsTableName';

/** Copies a table as RestoreTableToPointInTime does: with the same keys, and the current items. */
export async function copyTable(
  deployment: Deployment,
  source: TableOutput,
  key: string,
  TableName: string,
): Promise<void> {
  const database = await dynamoDBClient(deployment);
  const { Items = [] } = await database.scan({ TableName: deployment.outputs[source], ConsistentRead: true });
  await createCopy(deployment, key, TableName, Items);
}

/** Creates a table with the same key as a table of the service, and with these items. */
export async function createCopy(
  deployment: Deployment,
  key: string,
  TableName: string,
  items: readonly Item[],
): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  });
  // Creating a table takes a moment.
  await waitUntilTableExists({ client: database, maxWaitTime: 10, minDelay: 0.05 }, { TableName });
  for (const Item of items) {
    await database.putItem({ TableName, Item });
  }
}

/** Deletes an item, like an operator in the AWS console. */
export async function deleteItem(
  deployment: Deployment,
  table: TableOutput,
  Key: Record<string, AttributeValue>,
): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.deleteItem({ TableName: deployment.outputs[table], Key });
}
