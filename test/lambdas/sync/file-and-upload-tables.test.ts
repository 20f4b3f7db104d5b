import type { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createRecordIssued } from '../../../lambdas/sync/file-and-upload-tables.ts';
import { putIssued } from '../../../storage/upload.ts';
import { noon } from '../../support/signing-keys.ts';

test('the write of an upload record is aborted with its request', async () => {
  const sent: unknown[] = [];
  const send = async ({ input }: PutItemCommand, options: unknown) => void sent.push([input, options]);
  const client = { send } as Pick<DynamoDBClient, 'send'> as DynamoDBClient;
  const [issued_at, expires_at] = ['2026-01-31T08:00:00.000Z', noon.toISOString()];
  const ids = { upload_id: '019c1310-e400-7001-8f43-5e0d1c2b3a49', file_id: 'file', client_id: 'client' };
  const upload = { ...ids, organisation_id: 'acme', key: 'uploads/a', issued_at, expires_at };
  const { signal } = new AbortController();
  await createRecordIssued(client, 'uploads', 30)(upload, signal);
  const recorded = { TableName: 'uploads', ...putIssued(upload, '2026-03-03T09:10:00.000Z') };
  expect(sent).toEqual([[recorded, { abortSignal: signal }]]);
});
