import { describe, expect, test, vi } from 'vitest';
import type { CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { noon } from '../../../support/signing-keys.ts';
import { dyingAt, id, objectOf, recordingOf } from './fake-store.ts';

/** A day after the URLs have expired. */
const dayAfter = '2026-02-01T09:10:00.000Z';

const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });

describe('recording an upload', () => {
  test('points the file at it, announces it, and completes it with the facts of its object', async () => {
    const { store, record, file } = recordingOf(1);
    const read = vi.spyOn(store.tables, 'readUpload');
    expect(await record(objectOf(1))).toBe('completed');
    expect(read).toHaveBeenCalledTimes(1);
    const completed_at = '2026-01-31T08:30:00.000Z';
    const facts = { version_id: 'version-1', size: 1, etag: 'etag-1', completed_at };
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', ...facts, uploaded_from: '192.0.2.7' });
    expect(store.upload(id(1))).not.toHaveProperty('superseded_at');
    expect(store.upload(id(1))).not.toHaveProperty('due_at');
    expect(file()).toEqual({ content: { upload_id: id(1), key: `uploads/${id(1)}`, ...facts } });
    // The order that docs/events.md promises: whoever gets the event finds the content in the file.
    expect(store.writes).toEqual(['replaceContent', 'announce', 'completeUpload']);
  });

  test('of an event that an operator replays says in the upload who', async () => {
    const { store, record } = recordingOf(1);
    await record(objectOf(1, { operator: 'ada' }));
    expect(store.upload(id(1))).toHaveProperty('updated_by', 'ada');
  });

  test('a second time changes and announces nothing; both are logged, and the first alone is counted', async () => {
    const { store, record, lines, values } = recordingOf(1);
    await record(objectOf(1));
    const before = structuredClone([...store.uploads, ...store.files]);
    expect(await record(objectOf(1, { etag: 'other' }))).toBe('known');
    expect([...store.uploads, ...store.files]).toEqual(before);
    expect(store.announced).toHaveLength(1);
    const ids = { upload_id: id(1), file_id: 'orders.csv', client_id: 'client', organisation_id: 'acme' };
    const line = { level: 'INFO', message: 'uploadRecorded', ...ids, size: 1 };
    expect(lines).toEqual([line, line]);
    expect(values).toEqual([{ UploadsCompleted: 1, UploadBytes: 1 }]);
  });

  test('that replaces content marks that first, which is deleted a day after its URL has expired', async () => {
    const { store, record, file, lines } = recordingOf(2);
    await record(objectOf(1));
    store.writes.length = 0;
    await record(objectOf(2));
    expect(store.writes).toEqual(['markSuperseded', 'replaceContent', 'announce', 'completeUpload']);
    expect(file()?.content?.upload_id).toBe(id(2));
    const superseded = { state: 'completed', superseded_at: noon.toISOString(), due_at: dayAfter };
    expect(store.upload(id(1))).toMatchObject(superseded);
    expect(store.announced).toMatchObject([{ isNewestContent: true }, { isNewestContent: true }]);
    const line = { level: 'INFO', message: 'uploadSuperseded', upload_id: id(1), superseded_by: id(2) };
    expect(lines).toContainEqual(line);
  });

  test('that replaces content marks what an older version has left in the list of the file', async () => {
    const { store, record, file } = recordingOf(4);
    await record(objectOf(3));
    store.files.set('orders.csv', { ...file(), superseded: [id(1), id(2)] });
    await record(objectOf(4));
    expect([1, 2, 3].filter((number) => store.upload(id(number)).superseded_at === undefined)).toEqual([]);
    expect(file()?.superseded).toBeUndefined();
  });

  test('that comes late completes it, says so, and never overwrites newer content', async () => {
    const { store, record, file, values } = recordingOf(2);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(file()?.content?.upload_id).toBe(id(2));
    const superseded = { state: 'completed', superseded_at: noon.toISOString(), due_at: dayAfter };
    expect(store.upload(id(1))).toMatchObject(superseded);
    expect(values.at(-1)).toMatchObject({ UploadsCompleted: 1 });
    expect(store.announced.at(-1)).toMatchObject({
      kind: 'completed',
      upload: { upload_id: id(1) },
      isNewestContent: false,
      content: { version_id: 'version-1', size: 1 },
    });
  });

  test('that was marked as replaced before it was completed is completed so, whatever the file has', async () => {
    for (const others of [[], [objectOf(2)]]) {
      const { store, record } = recordingOf(2);
      const superseded_at = '2026-01-30T09:00:00.000Z';
      await store.tables.markSuperseded(id(1), superseded_at);
      for (const object of [...others, objectOf(1)]) {
        await record(object);
      }
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at, due_at: dayAfter });
    }
  });

  test('takes no bytes for content like any other, and bytes whatever their tags', async () => {
    for (const [size, tag] of [
      [0, ''],
      [1, 'cancelled'],
    ] as const) {
      const { store, record, file } = recordingOf(1);
      if (tag) {
        store.tagsByVersion.set('version-1', tag);
      }
      await record(objectOf(1, { size }));
      expect(file()?.content).toMatchObject({ upload_id: id(1), size });
    }
  });

  test('has the checksum of S3 in both records and the event, read once however often the event comes', async () => {
    const { store, record, file } = recordingOf(2);
    const checksum = { checksum_crc64nvme: '1BGd19PD4OU=' };
    store.checksums.set('version-1', checksum.checksum_crc64nvme);
    await record(objectOf(1));
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject(checksum);
    expect(file()?.content).toMatchObject(checksum);
    expect(store.checksumsRead).toEqual(['version-1']);
    expect(store.announced).toMatchObject([{ content: checksum }]);
    // S3 has none of the next one.
    await record(objectOf(2));
    expect(store.upload(id(2))).not.toHaveProperty('checksum_crc64nvme');
    expect(file()?.content).not.toHaveProperty('checksum_crc64nvme');
  });

  test('is counted once, also when its event comes three times at the same time', async () => {
    const { record, values } = recordingOf(2);
    await record(objectOf(1));
    values.length = 0;
    await Promise.all([record(objectOf(2)), record(objectOf(2)), record(objectOf(2))]);
    expect(values.filter((value) => 'UploadsCompleted' in value)).toHaveLength(1);
  });

  test('is announced once when another attempt completed it since this one read it', async () => {
    const { store, record, values } = recordingOf(1);
    const { readChecksum } = store.bucket;
    const slow: typeof readChecksum = async (...version) => {
      Object.assign(store.bucket, { readChecksum });
      await record(objectOf(1));
      return readChecksum(...version);
    };
    Object.assign(store.bucket, { readChecksum: slow });
    expect(await record(objectOf(1))).toBe('known');
    expect(store.kinds()).toEqual([`completed ${id(1)}`]);
    expect(values).toMatchObject([{ UploadsCompleted: 1 }]);
  });

  test('tries again when the file changed meanwhile, twenty times', async () => {
    const { store, record } = recordingOf(1);
    const replace = vi.spyOn(store.tables, 'replaceContent').mockResolvedValue(false);
    const reason = `File orders.csv kept changing while upload ${id(1)} was recorded`;
    await expect(record(objectOf(1))).rejects.toThrow(reason);
    expect(replace).toHaveBeenCalledTimes(20);
    expect(store.upload(id(1)).state).toBe('issued');
    replace.mockRestore();
    await record(objectOf(1));
    expect(store.upload(id(1)).state).toBe('completed');
  });

  test('fails, so that its event ends in the dead-letter queue, when its upload or its file is missing', async () => {
    await expect(recordingOf(0).record(objectOf(1))).rejects.toThrow(`No upload ${id(1)}`);
    const { store, record } = recordingOf(1);
    store.files.clear();
    await expect(record(objectOf(1))).rejects.toThrow('No file orders.csv of upload');
    expect(store.writes).toEqual([]);
  });
});

describe('an upload for a deleted file', () => {
  const deleted_at = '2026-01-31T08:30:00.000Z';

  test('never becomes content, is not announced, and is not counted: its bytes are deleted as replaced ones', async () => {
    const { store, record, file, lines, values } = recordingOf(1);
    store.files.set('orders.csv', { deleted_at });
    expect(await record(objectOf(1))).toBe('discarded');
    expect(file()).toEqual({ deleted_at });
    const superseded = { state: 'completed', size: 1, superseded_at: noon.toISOString(), due_at: dayAfter };
    expect(store.upload(id(1))).toMatchObject(superseded);
    const ids = { upload_id: id(1), file_id: 'orders.csv', client_id: 'client', organisation_id: 'acme' };
    expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'uploadDiscarded', ...ids });
    expect(await record(objectOf(1))).toBe('known');
    expect(store.announced).toEqual([]);
    expect(values).toEqual([]);
  });

  test('is discarded by its own record too, when a new file has the id of the deleted one', async () => {
    const { store, record, file } = recordingOf(1);
    store.change(id(1), { deleted_at, superseded_at: deleted_at });
    await record(objectOf(1));
    expect(file()).toEqual({});
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: deleted_at });
    expect(store.announced).toEqual([]);
  });

  test('ends the same after a crash at each step', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const { store, record, file } = recordingOf(1);
      store.files.set('orders.csv', { deleted_at });
      died = await dyingAt(step, store, () => record(objectOf(1)));
      await record(objectOf(1));
      expect(file()).toEqual({ deleted_at });
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    }
  });
});

describe('a tombstone', () => {
  test('of a superseded upload changes, announces and counts nothing', async () => {
    const { store, record, lines, values } = recordingOf(1);
    store.tagsByVersion.set('tombstone', 'superseded');
    await record(tombstone);
    expect(store.writes).toEqual([]);
    const line = { level: 'INFO', message: 'tombstoneSeen', upload_id: id(1), tombstone: 'superseded' };
    expect(lines).toEqual([line]);
    expect(values).toEqual([]);
  });

  test('of a cancelled upload finishes a cancelling that was cut short, announces it, and is counted', async () => {
    const { store, record, file, values } = recordingOf(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    expect(await record(tombstone)).toBe('cancelled');
    expect(store.writes).toEqual(['announce', 'cancelUpload']);
    await record(tombstone);
    expect(store.upload(id(1))).toMatchObject({ state: 'cancelled', cancelled_at: noon.toISOString() });
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: noon.toISOString() }]);
    expect(file()?.content).toBeUndefined();
    expect(values[0]).toEqual({ UploadsCancelled: 1 });
  });

  test('of an upload that the command line has marked as cancelled is announced with the time of the mark', async () => {
    const { store, record } = recordingOf(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    const cancelled_at = '2026-01-31T08:30:00.000Z';
    store.change(id(1), { state: 'cancelled', cancelled_at });
    await record(tombstone);
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: cancelled_at }]);
    expect(store.upload(id(1))).toMatchObject({ cancelled_at });
    expect(store.upload(id(1))).not.toHaveProperty('due_at');
  });
});

test('an object whose key is not that of an upload is logged and ignored', async () => {
  const { store, record, lines } = recordingOf(1);
  expect(await record(objectOf(1, { key: `other/${id(1)}` }))).toBe('ignored');
  expect(lines).toEqual([{ level: 'WARN', message: 'foreignObject', key: `other/${id(1)}` }]);
  expect(store.writes).toEqual([]);
});

test('an event that a crash interrupted at any step is announced by its repetition, and never again', async () => {
  type Recording = ReturnType<typeof recordingOf>;
  const cases: readonly { prepare: (parts: Recording) => unknown; event: CreatedObject }[] = [
    { prepare: () => undefined, event: objectOf(1) },
    { prepare: ({ record }) => record(objectOf(1)), event: objectOf(2) },
    { prepare: ({ record }) => record(objectOf(2)), event: objectOf(1) },
    { prepare: ({ store }) => store.tagsByVersion.set('tombstone', 'cancelled'), event: tombstone },
  ];
  for (const { prepare, event } of cases) {
    let stops = 0;
    for (let died = true; died; stops += 1) {
      const parts = recordingOf(2);
      const { store, record } = parts;
      await prepare(parts);
      store.announced.length = 0;
      died = await dyingAt(stops, store, () => record(event));
      await record(event);
      const sent = store.kinds();
      expect([...new Set(sent)]).toHaveLength(1);
      expect(sent.length).toBeLessThanOrEqual(died ? 2 : 1);
      expect(store.upload(event.key.slice('uploads/'.length)).state).not.toBe('issued');
      await record(event);
      await record(event);
      expect(store.kinds()).toEqual(sent);
    }
    expect(stops).toBeGreaterThan(5);
  }
});
