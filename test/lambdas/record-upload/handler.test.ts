import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { timestamp } from '../../../storage/attributes.ts';
import { fileFromItem, putNewFile, readFile } from '../../../storage/file.ts';
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

/** CRC-64/NVME of `orders`. */
const checksum = 'BvcdJUO6iIU=';

const load = () => import('../../../lambdas/record-upload/handler.ts');

const [older, newer] = ['019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49', '019c1b2e-7d3a-7002-8f43-5e0d1c2b3a49'];

const eventOf = (uploadId: string, versionId: string) => ({
  time: '2026-01-31T09:00:00Z',
  detail: { object: { key: objectKeyOf(uploadId), size: 6, etag: 'etag', 'version-id': versionId } },
});

async function issue(uploadId: string, fileId: string): Promise<void> {
  const upload = putIssued({
    upload_id: uploadId,
    file_id: fileId,
    organisation_id: 'acme',
    client_id: 'client',
    key: objectKeyOf(uploadId),
    issued_at: timestamp(noon),
    expires_at: timestamp(noon),
  });
  await storage.dynamodb.send(new PutItemCommand({ TableName: names.uploads, ...upload }));
}

describe('the function that records uploads', () => {
  test('points the file at the newest upload, and marks the one before, whose content can still be read', async () => {
    const { handler } = await load();
    const file = putNewFile({
      file_id: 'orders.csv',
      organisation_id: 'acme',
      name: 'Orders',
      sync_enabled: true,
      created_at: timestamp(noon),
      updated_at: timestamp(noon),
    });
    await storage.dynamodb.send(new PutItemCommand({ TableName: names.files, ...file }));
    const before = timestamp(new Date());
    const lines = await printedBy(async () => {
      for (const uploadId of [older, newer]) {
        await issue(uploadId, 'orders.csv');
        await handler(eventOf(uploadId, await storage.put(objectKeyOf(uploadId), 'orders')));
      }
    });

    const read = new GetItemCommand({ TableName: names.files, ...readFile('orders.csv') });
    expect(fileFromItem((await storage.dynamodb.send(read)).Item ?? {})).toMatchObject({
      content: {
        upload_id: newer,
        size: 6,
        etag: 'etag',
        checksum_crc64nvme: checksum,
        completed_at: timestamp(noon),
      },
    });
    const replaced = new GetItemCommand({ TableName: names.uploads, ...readUpload(older) });
    const upload = uploadFromItem((await storage.dynamodb.send(replaced)).Item ?? {});
    expect(upload).toMatchObject({ state: 'completed', checksum_crc64nvme: checksum });
    expect(upload.superseded_at?.localeCompare(before)).toBeGreaterThanOrEqual(0);
    for (const uploadId of [older, newer]) {
      expect(await storage.read(objectKeyOf(uploadId))).toMatchObject({ text: 'orders' });
    }
    expect(lines).toMatchObject([
      { message: 'Upload recorded', upload_id: older },
      { message: 'Upload superseded by later content of its file', upload_id: older },
      { message: 'Upload recorded', upload_id: newer },
    ]);
    expect(storage.events.map(({ source, detail }) => [source, detail.event_id, detail.bucket])).toEqual([
      ['file-sync-api', `${older}.completed`, names.bucket],
      ['file-sync-api', `${newer}.completed`, names.bucket],
    ]);
  });

  test('fails for anything that is no event, and repeats nothing of it', async () => {
    const { handler } = await load();
    const lines = await printedBy(async () => {
      await expect(handler({ detail: 'hush' })).rejects.toThrow(/^ValiError: see the log of the function$/);
    });
    expect(lines).toMatchObject([{ level: 'ERROR', error_name: 'ValiError' }]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});
