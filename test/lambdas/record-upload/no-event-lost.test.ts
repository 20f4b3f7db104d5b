import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordObject } from '../../../lambdas/shared/recording/record-object.ts';
import { noon } from '../../support/signing-keys.ts';
import { FakeStore } from '../shared/recording/fake-store.ts';
import { recordingLog } from '../support/log.ts';

/** Enough that a loss of one event in a hundred, by chance or by count, cannot stay unseen (0.99^2000 < 2e-9). */
const ids = Array.from(
  { length: 2_000 },
  (_, index) => `019c1b2e-7d3a-7000-8f43-${index.toString(16).padStart(12, '0')}`,
);

describe('of thousands of events, not one in a hundred is lost', () => {
  test('where they are recorded: each upload is completed, and each file has its content', async () => {
    const store = new FakeStore();
    const { log, lines } = recordingLog();
    const { tables, bucket, announce } = store;
    const dependencies = { tables, bucket, announce, now: () => noon, log };
    for (const id of ids) {
      store.issue(id, `file-${id}`);
      const object = { key: `uploads/${id}`, versionId: id, size: 1, etag: id, createdAt: noon };
      store.put(object.key, id);
      await recordObject(object, dependencies);
    }
    expect(ids.filter((id) => store.uploads.get(id)?.state !== 'completed')).toEqual([]);
    expect(ids.map((id) => store.files.get(`file-${id}`)?.content?.upload_id)).toEqual(ids);
    expect(lines.map(({ upload_id }) => upload_id)).toEqual(ids);
    expect(store.announced.map(({ upload }) => upload.upload_id)).toEqual(ids);
  });

  describe('by the function', () => {
    let handler: (event: unknown) => Promise<void>;
    beforeAll(async () => {
      const environment = {
        // Nothing listens there: what is tested here calls no service.
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        FILES_TABLE_NAME: 'files',
        UPLOADS_TABLE_NAME: 'uploads',
        BUCKET_NAME: 'bucket',
        EVENT_BUS_NAME: 'bus',
        UPLOAD_RECORD_RETENTION_DAYS: 'forever',
        METRICS_NAMESPACE: 'file-sync-test',
      };
      for (const [name, value] of Object.entries(environment)) {
        vi.stubEnv(name, value);
      }
      ({ handler } = await import('../../../lambdas/record-upload/handler.ts'));
    });
    afterAll(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });

    test('it takes each event: of an object that is no upload, it logs the key', async () => {
      const written: string[] = [];
      const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
        written.push(String(text));
        return true;
      });
      for (const id of ids) {
        const object = { key: `other/${id}`, size: 1, etag: 'etag', 'version-id': 'version' };
        await handler({ time: noon.toISOString(), detail: { object } });
      }
      write.mockRestore();
      const keys = written.map((line) => (JSON.parse(line) as { key?: string }).key);
      expect(keys).toEqual(ids.map((id) => `other/${id}`));
    });
  });
});
