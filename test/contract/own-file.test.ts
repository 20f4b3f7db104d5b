import { dynamoDBClient } from '../../tools/operator/deployment/aws-clients.ts';
import { createFile, setSyncEnabled } from '../../tools/operator/files/file.ts';
import { withoutDetail } from '../support/plain-errors.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { test } from './support/test.ts';

/** Rules whose tests require a file that the operator changes. */

test('[8.12] accepts a PUT to a URL from before syncing was disabled', async ({
  operator,
  token,
  organisationId,
}) => {
  const { file_id } = await createFile(operator, { organisationId, name: 'own-file', syncEnabled: true });
  const uploadUrl = await requestUploadUrl(token, file_id);
  await setSyncEnabled(operator, file_id, false);
  expect((await requestSync(token, file_id)).status).toBe(409);
  expect((await uploadUrl.put('issued before')).status).toBe(200);
});

test('[11.5] returns no detail of damaged stored data', async ({ operator, token, organisationId }) => {
  const { file_id } = await createFile(operator, { organisationId, name: 'own-file', syncEnabled: true });
  const database = await dynamoDBClient(operator);
  const one = { TableName: operator.outputs.FilesTableName, Key: { file_id: { S: file_id } } };
  const wrong = {
    UpdateExpression: 'SET sync_enabled = :wrong',
    ExpressionAttributeValues: { ':wrong': { S: 'certainly' } },
  };
  await withoutDetail(database.updateItem({ ...one, ...wrong }));
  const response = await requestSync(token, file_id);
  await withoutDetail(database.deleteItem(one));
  expect(response.status).toBe(500);
  expect(JSON.parse(response.text)).toEqual({
    error: 'internal_error',
    error_description: expect.any(String),
  });
  expect(response.text).not.toMatch(/file_|sync_enabled|certainly|DynamoDB|Table|Error:|at /);
});
