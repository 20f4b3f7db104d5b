import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { admin } from '../../support/run-admin.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** The restore of operations.md, through a running service: the copy is made by the calls that a restored table answers. */

let run: RunningStack;
let deployment: Deployment;
let database: DynamoDBClient;

beforeAll(async () => {
  run = await startRunningStack();
  deployment = run.deployment;
  database = new DynamoDBClient(deployment.awsConfig);
});
afterAll(async () => {
  database?.destroy();
  await run?.close();
});

const operator = (...parameters: readonly string[]) => admin(deployment, ['--local', ...parameters]);

/** Copies a table as RestoreTableToPointInTime does: with the same keys, and the present items. */
async function copyTable(source: string, copy: string, key: string): Promise<void> {
  await database.send(
    new CreateTableCommand({
      TableName: copy,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    }),
  );
  // A table takes a moment to be made.
  const waited = { client: database, maxWaitTime: 10, minDelay: 0.05 };
  await waitUntilTableExists(waited, { TableName: copy });
  for (const Item of await itemsOf(source)) {
    await database.send(new PutItemCommand({ TableName: copy, Item }));
  }
}

async function itemsOf(TableName: string): Promise<readonly Record<string, AttributeValue>[]> {
  return (await database.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
}

test('rows that were lost come back, and what arrived meanwhile is recorded: nothing is lost', async () => {
  const user = await createApiUser(run);
  const file_id = await user.newFile();
  const { FilesTableName } = deployment.outputs;
  const first = await user.issue(file_id);
  const second = await user.issue(file_id);
  expect((await first.put('first')).status).toBe(200);
  await run.eventsSettled();
  await copyTable(FilesTableName, 'files-restored', 'file_id');

  // The accident, and an upload that arrives after it.
  await database.send(new DeleteItemCommand({ TableName: FilesTableName, Key: { file_id: { S: file_id } } }));
  expect((await user.sync(file_id)).status).toBe(404);
  expect((await second.put('second')).status).toBe(200);
  await run.eventsSettled();

  const plan = await operator('restore', '--from-table', 'files-restored', '--dry-run', '--json');
  expect(plan.json()).toMatchObject({ dry_run: true, missing: 1, unreadable: 0, kept: 0 });
  expect(await itemsOf(FilesTableName)).toEqual([]);
  const restored = await operator('restore', '--from-table', 'files-restored', '--yes', '--json');
  expect(restored.json()).toMatchObject({ missing: 1, unreadable: 0, kept: 0 });

  expect((await user.sync(file_id)).status).toBe(200);
  expect((await getFile(deployment, file_id)).content?.size).toBe(5);
  expect((await operator('upload', 'replay')).code).toBe(0);
  expect((await getFile(deployment, file_id)).content?.size).toBe(6);
  expect((await getUpload(deployment, second.uploadId)).state).toBe('completed');
}, 60_000);
