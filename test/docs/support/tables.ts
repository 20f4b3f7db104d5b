import { waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';

/** Copies the table of files as RestoreTableToPointInTime does: with the same keys, and the current items. */
export async function copyFiles(deployment: Deployment, name: string): Promise<void> {
  const database = await dynamoDBClient(deployment);
  const TableName = deployment.outputs.FilesTableName;
  const { Items = [] } = await database.scan({ TableName, ConsistentRead: true });
  await createCopy(deployment, 'file_id', name, Items);
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

/** Deletes the item of a file, like an operator in the AWS console. */
export async function loseFile({ outputs, ...deployment }: Deployment, fileId: string): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.deleteItem({ TableName: outputs.FilesTableName, Key: { file_id: { S: fileId } } });
}
