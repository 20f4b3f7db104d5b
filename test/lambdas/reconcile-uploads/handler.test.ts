import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { timestamp } from '../../../storage/attributes.ts';
import { putNewFile } from '../../../storage/file.ts';
import { objectKeyOf } from '../../../storage/object-key.ts';
import { putIssued, readUpload, uploadFromItem } from '../../../storage/upload.ts';
import { noon } from '../../support/signing-keys.ts';
import { environmentIn, names, type Storage, startStorage } from '../shared/recording/support.ts';
import { printedBy } from '../support/log.ts';

let storage: Storage;

beforeAll(async () => {
  storage = await startStorage();
  for (const [name, value] of Object.entries(environmentIn(storage))) {
    vi.stubEnv(name, value);
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await storage.end();
});
// The function reads its variables when it is loaded: each test loads it again.
afterEach(() => vi.resetModules());

const load = () => import('../../../lambdas/reconcile-uploads/handler.ts');

const [stored, unused] = ['019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49', '019c1b2e-7d3a-7002-8f43-5e0d1c2b3a4f'];

const minutesLater = (minutes: number) => timestamp(new Date(noon.getTime() + minutes * 60_000));

const nothing = { recorded: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0, unfinished: false };

const withMinutes = (minutes: number) => ({ getRemainingTimeInMillis: () => minutes * 60_000 });

async function issue(uploadId: string): Promise<void> {
  const upload = putIssued({
    upload_id: uploadId,
    file_id: 'orders.csv',
    organisation_id: 'acme',
    client_id: 'client',
    key: objectKeyOf(uploadId),
    issued_at: timestamp(noon),
    expires_at: minutesLater(60),
  });
  await storage.dynamodb.send(new PutItemCommand({ TableName: names.uploads, ...upload }));
}

async function read(uploadId: string) {
  const command = new GetItemCommand({ TableName: names.uploads, ...readUpload(uploadId) });
  return uploadFromItem((await storage.dynamodb.send(command)).Item ?? {});
}

/** What the function answers, and the lines that it logs. */
async function run(event: unknown, context = withMinutes(5)) {
  const { handler } = await load();
  let summary: unknown;
  const lines = await printedBy(async () => {
    summary = await handler(event, context);
  });
  return { summary, lines };
}

const scheduled = (time: string) => ({ 'detail-type': 'Scheduled Event', source: 'aws.events', time });

describe('the function that reconciles uploads', () => {
  test('records what S3 has of an upload that is due at the time of the schedule, and marks what nobody used', async () => {
    const file = putNewFile({
      file_id: 'orders.csv',
      organisation_id: 'acme',
      name: 'Orders',
      sync_enabled: true,
      created_at: timestamp(noon),
      updated_at: timestamp(noon),
    });
    await storage.dynamodb.send(new PutItemCommand({ TableName: names.files, ...file }));
    await issue(stored);
    await issue(unused);
    const versionId = await storage.put(objectKeyOf(stored), 'orders');

    expect((await run(scheduled(minutesLater(69)))).summary).toEqual(nothing);
    const late = await run(scheduled(minutesLater(70)), withMinutes(0.5));
    expect(late.summary).toEqual({ ...nothing, unfinished: true });
    const { summary, lines } = await run(scheduled(minutesLater(70)));
    expect(summary).toEqual({ ...nothing, recorded: 1, expired: 1 });
    expect(await read(stored)).toMatchObject({
      state: 'completed',
      size: 6,
      version_id: versionId,
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await read(unused)).toMatchObject({ state: 'issued', expired_at: minutesLater(70) });
    expect(lines.map(({ message }) => message)).toContain(
      'Upload recorded by the reconciliation, its event was lost or could not be recorded',
    );
    const detailTypes = storage.events.map((event) => [event['detail-type'], event.detail.upload_id]);
    expect(new Set(detailTypes)).toEqual(
      new Set([
        ['Upload Completed', stored],
        ['Upload Expired', unused],
      ]),
    );
  });

  test('works as of now when an operator asks for it', async () => {
    const { summary, lines } = await run({});
    expect(summary).toMatchObject({ recorded: 0, failed: 0 });
    expect(lines.at(-1)).toMatchObject({ level: 'INFO', message: 'Due uploads reconciled' });
  });

  test('fails when DynamoDB cannot say what is due, and repeats nothing of what it said', async () => {
    vi.stubEnv('UPLOADS_TABLE_NAME', 'hush');
    const { handler } = await load();
    const lines = await printedBy(async () => {
      await expect(handler({}, withMinutes(5))).rejects.toThrow(/: see the log of the function$/);
    });
    vi.stubEnv('UPLOADS_TABLE_NAME', names.uploads);
    expect(lines).toMatchObject([
      { level: 'ERROR', message: 'Upload could not be reconciled', ReconciliationsFailed: 1 },
    ]);
  });
});
