import { timestamp } from '../../../storage/attributes.ts';
import { objectKeyOf } from '../../../storage/object-key.ts';
import { noon } from '../../support/signing-keys.ts';
import { names, startStorage, stubRecording } from '../shared/recording/support.ts';
import { printedBy } from '../support/log.ts';

const storage = await startStorage();
beforeEach(() => stubRecording(storage));
// The function reads its variables when it is loaded, so each test reloads it.
afterEach(() => vi.resetModules());

/** CRC-64/NVME of `orders`. */
const checksum = 'BvcdJUO6iIU=';

const load = () => import('../../../lambdas/record-upload/handler.ts');

const [older, newer] = ['019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49', '019c1b2e-7d3a-7002-8f43-5e0d1c2b3a49'];

const eventOf = (uploadId: string, versionId: string) => ({
  time: '2026-01-31T09:00:00Z',
  detail: { object: { key: objectKeyOf(uploadId), size: 6, etag: 'etag', 'version-id': versionId } },
});

describe('the function that records uploads', () => {
  test('points the file at the newest upload, and announces each', async () => {
    const { handler } = await load();
    await storage.addFile('orders.csv');
    const lines = await printedBy(async () => {
      for (const uploadId of [older, newer]) {
        await storage.addUpload(uploadId, 'orders.csv');
        await handler(eventOf(uploadId, await storage.putContent(uploadId, 'orders')));
      }
    });

    const facts = { size: 6, etag: 'etag', checksum_crc64nvme: checksum, completed_at: timestamp(noon) };
    expect((await storage.readFile('orders.csv')).content).toMatchObject({ upload_id: newer, ...facts });
    expect(await storage.readUpload(older)).toMatchObject({ ...facts, superseded_at: expect.any(String) });
    expect(lines.map(({ message }) => message)).toEqual([
      'Upload recorded',
      'Upload superseded by later content of its file',
      'Upload recorded',
    ]);
    const event = { source: 'file-sync-api', 'detail-type': 'Upload Completed' };
    const detail = { bucket: names.bucket, is_newest_content: true, event_id: `${newer}.completed` };
    expect(storage.events.at(-1)).toMatchObject({ ...event, detail });
  });

  test('fails for anything that is no event, and repeats nothing of it', async () => {
    const { handler } = await load();
    const event = { time: '2026-01-31T09:00:00Z', detail: { object: { key: 1, etag: 'hush' } } };
    const lines = await printedBy(async () => {
      await expect(handler(event)).rejects.toThrow(/^ValiError: see the log of the function$/);
    });
    const message = 'Upload could not be recorded';
    expect(lines).toMatchObject([{ level: 'ERROR', message, error_name: 'ValiError' }]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});
