import {
  type CloudFormationClient,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, type DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { InternalError } from '../shared/log/log.ts';
import type { Protectable } from './protect.ts';

/** The stack, with its status. */
export function createStack(
  client: CloudFormationClient,
  stackId: string,
): Protectable & { readonly readStatus: () => Promise<string> } {
  const describe = async () => {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackId }));
    const stack = Stacks?.[0];
    if (stack?.StackStatus === undefined) {
      throw new InternalError('CloudFormation gave no status of the stack');
    }
    return { status: stack.StackStatus, isProtected: stack.EnableTerminationProtection === true };
  };
  return {
    name: 'stack',
    readStatus: async () => (await describe()).status,
    isProtected: async () => (await describe()).isProtected,
    protect: async () => {
      await client.send(
        new UpdateTerminationProtectionCommand({ StackName: stackId, EnableTerminationProtection: true }),
      );
    },
  };
}

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
