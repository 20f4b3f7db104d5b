import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createLog, describeError, withoutDetail } from '../shared/log/log.ts';
import { protect } from './protect.ts';
import { createStack, createTable } from './protectables.ts';

const environment = readEnvironment(['stackId', 'tableNames']);
const clientConfig = awsClientConfig();
const log = createLog();
const dynamoDb = new DynamoDBClient(clientConfig);
const stack = createStack(new CloudFormationClient(clientConfig), environment.stackId);
// Table names contain no comma (DynamoDB, "Naming rules").
const tables = environment.tableNames.split(',');

const dependencies = {
  readStatus: stack.readStatus,
  stack,
  tables: tables.map((name) => createTable(dynamoDb, name)),
  log,
};

/** Invoked when the status of the stack changes, and every few minutes. The event is not read. */
export async function handler(): Promise<void> {
  try {
    await protect(dependencies);
  } catch (error) {
    log('ERROR', 'protectionFailed', describeError(error));
    throw withoutDetail(error);
  }
}
