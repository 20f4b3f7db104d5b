import { DescribeTableCommand, type DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { Protectable } from './protect.ts';

/** A table and its deletion protection (DynamoDB Developer Guide, "Using deletion protection"). */
export function createTable(client: DynamoDBClient, tableName: string): Protectable {
  return {
    name: tableName,
    isProtected: async () => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
      return Table?.DeletionProtectionEnabled === true;
    },
    protect: async () => {
      await client.send(new UpdateTableCommand({ TableName: tableName, DeletionProtectionEnabled: true }));
    },
  };
}
