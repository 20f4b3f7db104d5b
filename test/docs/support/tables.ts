import { waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';

/** Copies the table of files as RestoreTableToPointInTime does: with the same keys, and the current items. */
export async function copyFiles({ outputs, ...deployment }: Deployment, TableName: string): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'file_id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'file_id', KeyType: 'HASH' }],
  });
  // Creating a table takes a moment.
  await waitUntilTableExists({ client: database, maxWaitTime: 10, minDelay: 0.05 }, { TableName });
  const { Items = [] } = await database.scan({ TableName: outputs.FilesTableName, ConsistentRead: true });
  for (const Item of Items) {
    await database.putItem({ TableName, Item });
  }
}

/** Deletes the item of a file, like an operator in the AWS console. */
export async function loseFile({ outputs, ...deployment }: Deployment, fileId: string): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.deleteItem({ TableName: outputs.FilesTableName, Key: { file_id: { S: fileId } } });
}
