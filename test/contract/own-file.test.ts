import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { putNewFile, updateSyncEnabled } from '../../storage/file.ts';
import type { Operator } from '../support/deployment.ts';
import { withoutDetail } from '../support/plain-errors.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { api, test } from './support/test.ts';

/** Rules that a test can only see on a file that the operator changes. */

/** The table of files, and the item of a new file with syncing enabled. */
function openFiles({ endpoint, region, credentials, filesTableName }: Operator, organisationId: string) {
  const database = new DynamoDBClient({ endpoint, region, credentials });
  const table = { TableName: filesTableName };
  const fileId = `own-file-${randomUUID()}`;
  const now = new Date().toISOString();
  const file = { file_id: fileId, organisation_id: organisationId, name: 'own-file' };
  const { Item = {} } = putNewFile({ ...file, created_at: now, updated_at: now, sync_enabled: true });
  return {
    fileId,
    put: (changes: Record<string, AttributeValue> = {}) =>
      withoutDetail(database.send(new PutItemCommand({ ...table, Item: { ...Item, ...changes } }))),
    switchOff: () =>
      withoutDetail(
        database.send(new UpdateItemCommand({ ...table, ...updateSyncEnabled(fileId, false, now) })),
      ),
    /** Only for a file that got no upload: uploads without a file are a finding of doctor. */
    remove: () =>
      withoutDetail(database.send(new DeleteItemCommand({ ...table, Key: { file_id: { S: fileId } } }))),
  };
}

test('[8.12] takes the PUT of a URL that was issued before syncing was switched off', async ({
  operator,
  token,
  organisationId,
}) => {
  const { fileId, put, switchOff } = openFiles(operator, organisationId);
  await put();
  const uploadUrl = await requestUploadUrl(api, token, fileId);
  await switchOff();
  expect((await requestSync(api, token, fileId)).status).toBe(409);
  expect((await uploadUrl.put('issued before')).status).toBe(200);
});

test('[11.5] answers internal_error and no detail when what is stored makes no sense', async ({
  operator,
  token,
  organisationId,
}) => {
  const { fileId, put, remove } = openFiles(operator, organisationId);
  await put({ sync_enabled: { S: 'certainly' } });
  const answer = await requestSync(api, token, fileId).finally(remove);
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text)).toEqual({ error: 'internal_error', error_description: expect.any(String) });
  expect(answer.text).not.toMatch(/own-file|sync_enabled|certainly|DynamoDB|Table|Error:|at /);
});
