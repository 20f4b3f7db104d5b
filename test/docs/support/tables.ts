import { type AttributeValue, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
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
  await database.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  });
  // Creating a table takes a moment.
  await waitUntilTableExists({ client: database, maxWaitTime: 10, minDelay: 0.05 }, { TableName });
  const read = { TableName: deployment.outputs[source], ConsistentRead: true };
  const { Items = [] } = await database.scan(read);
  for (const Item of Items) {
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
