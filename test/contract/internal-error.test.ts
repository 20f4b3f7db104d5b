import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { Operator } from '../support/deployment.ts';
import { withoutDetail } from '../support/plain-errors.ts';
import { requestSync } from './support/sync-request.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 11.5. Provoked by a stored file that no release of the service would write. */

test('[11.5] answers internal_error and no detail when what is stored makes no sense', async ({
  operator,
  token,
  organisationId,
}) => {
  const answer = await withBrokenFile(operator, organisationId, (fileId) => requestSync(api, token, fileId));
  expect(answer.status).toBe(500);
  const body = JSON.parse(answer.text) as Record<string, string>;
  expect(body).toEqual({ error: 'internal_error', error_description: expect.any(String) });
  expect(answer.text).not.toMatch(/broken-file|sync_enabled|certainly|DynamoDB|Table|Error:|at /);
});

async function withBrokenFile<Result>(
  operator: Operator,
  organisationId: string,
  use: (fileId: string) => Promise<Result>,
): Promise<Result> {
  const dynamodb = new DynamoDBClient({
    endpoint: operator.endpoint,
    region: operator.region,
    credentials: operator.credentials,
  });
  const file_id = { S: `broken-file-${Date.now()}` };
  const item = { file_id, organisation_id: { S: organisationId }, sync_enabled: { S: 'certainly' } };
  await withoutDetail(dynamodb.send(new PutItemCommand({ TableName: operator.filesTableName, Item: item })));
  try {
    return await use(file_id.S);
  } finally {
    await dynamodb.send(new DeleteItemCommand({ TableName: operator.filesTableName, Key: { file_id } }));
    dynamodb.destroy();
  }
}
