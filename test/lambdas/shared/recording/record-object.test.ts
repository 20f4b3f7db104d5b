import { noon } from '../../../support/signing-keys.ts';
import { id, objectOf, recordingOf } from './fake-store.ts';

/** An upload whose content is deleted one day after its URL expired. */
const superseded = {
  state: 'completed',
  superseded_at: noon.toISOString(),
  due_at: '2026-02-01T09:10:00.000Z',
};

const ids = { upload_id: id(1), file_id: 'orders.csv', client_id: 'client', organisation_id: 'acme' };

const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });

describe('recording an upload', () => {
  test('points the file at it, and completes it with the facts of its object', async () => {
    const { store, record, file, upload } = recordingOf(1);
    const read = vi.spyOn(store.tables, 'readUpload');
    expect(await record(objectOf(1))).toBe('completed');

    expect(read).toHaveBeenCalledTimes(1);
    const completed_at = '2026-01-31T08:30:00.000Z';
    const facts = { version_id: 'version-1', size: 1, etag: 'etag-1', completed_at };
    expect(upload()).toMatchObject({ state: 'completed', ...facts, uploaded_from: '192.0.2.7' });
    expect(upload()).not.toHaveProperty('superseded_at');
    expect(upload()).not.toHaveProperty('due_at');
    expect(file().content).toEqual({ upload_id: id(1), key: `uploads/${id(1)}`, ...facts });
  });

  test('never uses a time in the future', async () => {
    const { record, upload } = recordingOf(1);
    await record(objectOf(1, { createdAt: new Date('2099-01-01T00:00:00Z') }));
    expect(upload()).toHaveProperty('completed_at', noon.toISOString());
  });

  test('of a replayed event stores the operator in the upload', async () => {
    const { record, upload } = recordingOf(1);
    await record(objectOf(1, { operator: 'ada' }));
    expect(upload()).toHaveProperty('updated_by', 'ada');
  });

  test('a second time is logged, and changes, announces and counts nothing', async () => {
    const { store, record, lines, values } = recordingOf(1);
    await record(objectOf(1));
    const before = [...store.items];
    expect(await record(objectOf(1, { etag: 'other' }))).toBe('known');
    expect([...store.items]).toEqual(before);
    expect(store.announced).toHaveLength(1);
    const line = { level: 'INFO', message: 'uploadRecorded', ...ids, size: 1 };
    expect(lines).toEqual([line, line]);
    expect(values).toEqual([{ UploadsCompleted: 1, UploadBytes: 1 }]);
  });

  test('that replaces content marks that first, and is announced last (docs/events.md)', async () => {
    const { store, record, file, upload, lines } = recordingOf(2);
    await record(objectOf(1));
    store.writes.length = 0;
    await record(objectOf(2));
    expect(store.writes).toEqual([id(1), 'orders.csv', 'announce', id(2)]);
    expect(file().content?.upload_id).toBe(id(2));
    expect(upload()).toMatchObject(superseded);
    expect(store.announced).toMatchObject([{ isNewestContent: true }, { isNewestContent: true }]);
    const line = { level: 'INFO', message: 'uploadSuperseded', upload_id: id(1), superseded_by: id(2) };
    expect(lines).toContainEqual(line);
  });

  test('that comes late completes it, and never overwrites newer content', async () => {
    const { store, record, file, upload, values } = recordingOf(2);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(file().content?.upload_id).toBe(id(2));
    expect(upload()).toMatchObject(superseded);
    expect(values.at(-1)).toMatchObject({ UploadsCompleted: 1 });
    expect(store.announced.at(-1)).toMatchObject({
      kind: 'completed',
      upload: { upload_id: id(1) },
      isNewestContent: false,
      content: { version_id: 'version-1', size: 1 },
    });
  });

  test.for([
    ['nothing', [objectOf(1)]],
    ['newer content', [objectOf(2), objectOf(1)]],
  ] as const)('keeps the mark of a replaced one when the file has %s', async ([, objects]) => {
    const { store, record, upload } = recordingOf(2);
    const superseded_at = '2026-01-30T09:00:00.000Z';
    await store.tables.markSuperseded(id(1), superseded_at);
    for (const object of objects) {
      await record(object);
    }
    expect(upload()).toMatchObject({ ...superseded, superseded_at });
  });

  test('records content of 0 bytes like any other', async () => {
    const { record, file } = recordingOf(1);
    await record(objectOf(1, { size: 0 }));
    expect(file().content).toMatchObject({ upload_id: id(1), size: 0 });
  });

  test('records bytes as content, whatever their tags', async () => {
    const { store, record, file } = recordingOf(1);
    store.tagsByVersion.set('version-1', 'cancelled');
    await record(objectOf(1));
    expect(file().content).toMatchObject({ upload_id: id(1), size: 1 });
  });

  test('is announced once when another attempt completed it meanwhile', async () => {
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

  test('retries twenty times when the file changed meanwhile', async () => {
    const { store, record, upload } = recordingOf(1);
    const replace = vi.spyOn(store.tables, 'replaceContent').mockResolvedValue(false);
    const reason = `File orders.csv kept changing while upload ${id(1)} was recorded`;
    await expect(record(objectOf(1))).rejects.toThrow(reason);
    expect(replace).toHaveBeenCalledTimes(20);
    expect(upload().state).toBe('issued');
  });

  // Its event then ends in the dead-letter queue.
  test('fails when its upload is missing', async () => {
    await expect(recordingOf(0).record(objectOf(1))).rejects.toThrow(`No upload ${id(1)}`);
  });

  test('fails when its file is missing', async () => {
    const { store, record } = recordingOf(1);
    store.items.delete('orders.csv');
    await expect(record(objectOf(1))).rejects.toThrow('No file orders.csv of upload');
    expect(store.writes).toEqual([]);
  });
});

describe('an upload for a deleted file', () => {
  const deleted_at = '2026-01-31T08:30:00.000Z';

  test('never becomes content: its bytes are deleted as replaced ones', async () => {
    const { store, record, file, upload, lines, values } = recordingOf(1);
    store.change('orders.csv', { deleted_at });
    const outcomes = await Promise.all([record(objectOf(1)), record(objectOf(1))]);
    expect(outcomes.toSorted()).toEqual(['discarded', 'known']);
    expect(file()).toEqual({ file_id: 'orders.csv', deleted_at });
    expect(upload()).toMatchObject({ ...superseded, size: 1 });
    expect(lines).toEqual([{ level: 'INFO', message: 'uploadDiscarded', ...ids }]);
    expect([...store.announced, ...values]).toEqual([]);
  });

  test('is recorded later while the deletion is undone', async () => {
    const { store, record } = recordingOf(1);
    store.change('orders.csv', { deleted_at, undeleted_at: deleted_at });
    store.change(id(1), { deleted_at });
    await expect(record(objectOf(1))).rejects.toThrow('The deletion of file orders.csv');
    expect(store.writes).toEqual([]);
  });

  test('is discarded by its own record, when a new file has the same id', async () => {
    const { store, record, file, upload } = recordingOf(1);
    store.change(id(1), { deleted_at, superseded_at: deleted_at });
    expect(await record(objectOf(1))).toBe('discarded');
    expect(file().content).toBeUndefined();
    expect(upload()).toMatchObject({ state: 'completed', superseded_at: deleted_at });
    expect(store.announced).toEqual([]);
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

  test('of a cancelled upload finishes a cancelling that was cut short', async () => {
    const { store, record, file, upload, values } = recordingOf(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    expect(await record(tombstone)).toBe('cancelled');
    expect(store.writes).toEqual(['announce', id(1)]);
    await record(tombstone);
    expect(upload()).toMatchObject({ state: 'cancelled', cancelled_at: noon.toISOString() });
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: noon.toISOString() }]);
    expect(file().content).toBeUndefined();
    expect(values[0]).toEqual({ UploadsCancelled: 1 });
  });

  test('is announced with the time when the command line marked its upload', async () => {
    const { store, record, upload } = recordingOf(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    const cancelled_at = '2026-01-31T08:30:00.000Z';
    store.change(id(1), { state: 'cancelled', cancelled_at });
    await record(tombstone);
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: cancelled_at }]);
    expect(upload()).not.toHaveProperty('due_at');
  });
});

test('an object whose key is not that of an upload is logged and ignored', async () => {
  const { store, record, lines } = recordingOf(1);
  expect(await record(objectOf(1, { key: `other/${id(1)}` }))).toBe('ignored');
  expect(lines).toEqual([{ level: 'WARN', message: 'foreignObject', key: `other/${id(1)}` }]);
  expect(store.writes).toEqual([]);
});
