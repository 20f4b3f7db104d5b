import { DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { putNewFile, updateSyncEnabled } from '../../storage/file.ts';
import type { Operator } from '../support/deployment.ts';
import { withoutDetail } from '../support/plain-errors.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 8.12: what the operator changes after a URL was issued. */

test('[8.12] takes the PUT of a URL that was issued before syncing was switched off', async ({
  operator,
  token,
  organisationId,
}) => {
  const fileId = `switched-off-${Date.now()}`;
  const dynamodb = new DynamoDBClient({
    endpoint: operator.endpoint,
    region: operator.region,
    credentials: operator.credentials,
  });
  try {
    await withoutDetail(dynamodb.send(new PutItemCommand(newFile(operator, fileId, organisationId))));
    const uploadUrl = await requestUploadUrl(api, token, fileId);
    await withoutDetail(dynamodb.send(new UpdateItemCommand(switchOff(operator, fileId))));
    expect((await requestSync(api, token, fileId)).status).toBe(409);
    expect((await uploadUrl.put('issued before')).status).toBe(200);
  } finally {
    dynamodb.destroy();
  }
});

function newFile({ filesTableName }: Operator, file_id: string, organisation_id: string) {
  const now = new Date().toISOString();
  const file = { file_id, organisation_id, name: 'Outstanding', created_at: now, updated_at: now };
  return { ...putNewFile({ ...file, sync_enabled: true }), TableName: filesTableName };
}

function switchOff({ filesTableName }: Operator, fileId: string) {
  return { ...updateSyncEnabled(fileId, false, new Date().toISOString()), TableName: filesTableName };
}
