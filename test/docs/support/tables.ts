import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';

type TableOutput = 'FilesTableName' | 'UploadsTableName';

/** Copies a table as RestoreTableToPointInTime does: with the same keys, and the present items. */
export async function copyTable(
  { awsConfig, outputs }: Deployment,
  source: TableOutput,
  key: string,
  TableName: string,
): Promise<void> {
  const database = new DynamoDBClient(awsConfig);
  await database.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    }),
  );
  // A table takes a moment to be made.
  await waitUntilTableExists({ client: database, maxWaitTime: 10, minDelay: 0.05 }, { TableName });
  const { Items = [] } = await database.send(
    new ScanCommand({ TableName: outputs[source], ConsistentRead: true }),
  );
  for (const Item of Items) {
    await database.send(new PutItemCommand({ TableName, Item }));
  }
  database.destroy();
}

/** Loses an item, as a person does who deletes it in the AWS console. */
export async function deleteItem(
  { awsConfig, outputs }: Deployment,
  table: TableOutput,
  Key: Record<string, AttributeValue>,
): Promise<void> {
  const database = new DynamoDBClient(awsConfig);
  await database.send(new DeleteItemCommand({ TableName: outputs[table], Key }));
  database.destroy();
}

/** Makes an upload due, as if its URL had expired a while ago. */
export async function makeDue({ awsConfig, outputs }: Deployment, uploadId: string): Promise<void> {
  const database = new DynamoDBClient(awsConfig);
  await database.send(
    new UpdateItemCommand({
      TableName: outputs.UploadsTableName,
      Key: { upload_id: { S: uploadId } },
      UpdateExpression: 'SET due_at = :due',
      ExpressionAttributeValues: { ':due': { S: new Date(Date.now() - 1_000).toISOString() } },
    }),
  );
  database.destroy();
}
