import { describe, expect, test } from 'vitest';
import type { CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
import { isEarlier } from '../../../../lambdas/shared/recording/second-version.ts';
import { noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';
import { FakeStore, id, objectOf } from './fake-store.ts';

/** Uploads of one file, whose events are recorded. */
function setUp(uploads = 0) {
  const store = new FakeStore();
  for (let number = 1; number <= uploads; number += 1) {
    store.issue(id(number), 'orders.csv');
  }
  const { log, lines, values } = recordingLog();
  const { tables, bucket, announce } = store;
  const dependencies = { tables, bucket, announce, now: () => noon, log };
  const record = (object: CreatedObject, others: Partial<typeof dependencies> = {}) =>
    recordObject(object, { ...dependencies, ...others });
  const file = () => store.files.get('orders.csv');
  return { store, record, file, lines, values };
}

/** Lets the process die at a step: before its effect, or after it. @returns whether it died */
async function dyingAt(step: number, store: FakeStore, act: () => Promise<unknown>): Promise<boolean> {
  let left = step;
  store.crashPoint = () => {
    left -= 1;
    if (left < 0) {
      throw new Error('crash');
    }
  };
  const died = await act().then(
    () => false,
    () => true,
  );
  store.crashPoint = () => undefined;
  return died;
}

const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });

describe('recording an upload', () => {
  test('points the file at it, announces it, and completes it with the facts of its object', async () => {
    const { store, record, file } = setUp(1);
    await record(objectOf(1));
    const facts = {
      version_id: 'version-1',
      size: 1,
      etag: 'etag-1',
      completed_at: '2026-01-31T08:30:00.000Z',
    };
    const origin = { sequencer: '0055AED6DCD90281E5', uploaded_from: '192.0.2.7' };
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', ...facts, ...origin });
    expect(store.upload(id(1))).not.toHaveProperty('superseded_at');
    expect(store.isDue(id(1))).toBe(false);
    expect(file()).toEqual({ content: { upload_id: id(1), key: `uploads/${id(1)}`, ...facts } });
    // The order that docs/events.md promises: whoever gets the event finds the content in the file.
    expect(store.writes).toEqual(['replaceContent', 'announce', 'completeUpload']);
  });

  test('that replaces content marks that first, which is deleted a day after its URL has expired', async () => {
    const { store, record, file, values } = setUp(2);
    await record(objectOf(1));
    store.writes.length = 0;
    await record(objectOf(2));
    expect(store.writes).toEqual(['markSuperseded', 'replaceContent', 'announce', 'completeUpload']);
    expect(file()?.content?.upload_id).toBe(id(2));
    expect(store.upload(id(1))).toMatchObject({
      state: 'completed',
      superseded_at: noon.toISOString(),
      due_at: '2026-02-01T09:10:00.000Z',
    });
    expect(store.announced).toMatchObject([{ isNewestContent: true }, { isNewestContent: true }]);
    expect(values.filter((value) => 'UploadsSuperseded' in value)).toEqual([{ UploadsSuperseded: 1 }]);
  });

  test('that replaces content marks what an older version has left in the list of the file', async () => {
    const { store, record, file } = setUp(4);
    await record(objectOf(3));
    store.files.set('orders.csv', { ...file(), superseded: [id(1), id(2)] });
    await record(objectOf(4));
    expect([1, 2, 3].filter((number) => store.upload(id(number)).superseded_at === undefined)).toEqual([]);
    expect(file()?.superseded).toBeUndefined();
  });

  test('that comes late completes it, says so, and never overwrites newer content', async () => {
    const { store, record, file, values } = setUp(2);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(file()?.content?.upload_id).toBe(id(2));
    expect(store.upload(id(1))).toMatchObject({
      state: 'completed',
      superseded_at: noon.toISOString(),
      due_at: '2026-02-01T09:10:00.000Z',
    });
    expect(values.at(-1)).toMatchObject({ UploadsCompleted: 1, UploadsSuperseded: 1 });
    expect(store.announced.at(-1)).toMatchObject({
      kind: 'completed',
      upload: { upload_id: id(1) },
      isNewestContent: false,
      content: { version_id: 'version-1', size: 1 },
    });
  });

  test('that was replaced before it was completed is completed as superseded', async () => {
    const { store, record, values } = setUp(1);
    await store.tables.markSuperseded(id(1), '2026-01-30T09:00:00.000Z');
    await record(objectOf(1));
    // Whoever marked it has counted that.
    expect(values).toEqual([expect.not.objectContaining({ UploadsSuperseded: 1 })]);
    expect(store.upload(id(1))).toMatchObject({
      state: 'completed',
      superseded_at: '2026-01-30T09:00:00.000Z',
      due_at: '2026-02-01T09:10:00.000Z',
    });
  });

  test('of zero bytes is content like any other', async () => {
    const { record, file } = setUp(1);
    await record(objectOf(1, { size: 0 }));
    expect(file()?.content).toMatchObject({ upload_id: id(1), size: 0 });
  });

  test('has the checksum of S3 in both records and the event, read once however often the event comes', async () => {
    const { store, record, file } = setUp(2);
    store.checksums.set('version-1', '1BGd19PD4OU=');
    await record(objectOf(1));
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject({ checksum_crc64nvme: '1BGd19PD4OU=' });
    expect(file()?.content).toMatchObject({ checksum_crc64nvme: '1BGd19PD4OU=' });
    expect(store.checksumsRead).toEqual(['version-1']);
    expect(store.announced).toMatchObject([{ content: { checksum_crc64nvme: '1BGd19PD4OU=' } }]);
    // S3 has none of the next one.
    await record(objectOf(2));
    expect(store.upload(id(2))).not.toHaveProperty('checksum_crc64nvme');
    expect(file()?.content).not.toHaveProperty('checksum_crc64nvme');
  });

  test('a second time changes nothing, and announces nothing: the first facts stay', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    const before = structuredClone([...store.uploads, ...store.files]);
    expect(await record(objectOf(1, { etag: 'other', size: 99 }))).toBe('known');
    expect([...store.uploads, ...store.files]).toEqual(before);
    expect(store.announced).toHaveLength(1);
  });

  test('is logged with its ids, and counted once, with its size and the time since its URL was issued', async () => {
    const { record, lines, values } = setUp(1);
    await record(objectOf(1));
    await record(objectOf(1));
    const line = {
      level: 'INFO',
      message: 'uploadRecorded',
      upload_id: id(1),
      file_id: 'orders.csv',
      size: 1,
      client_id: 'client',
      organisation_id: 'acme',
    };
    expect(lines).toEqual([line, line]);
    const minutes = 30;
    expect(values).toEqual([
      { UploadsCompleted: 1, UploadBytes: 1, UploadTime: minutes * 60_000 },
      { UploadsDuplicate: 1 },
    ]);
  });

  test('is counted once, also when its event comes three times at the same time', async () => {
    const { store, record, values } = setUp(2);
    await record(objectOf(1));
    values.length = 0;
    await Promise.all([record(objectOf(2)), record(objectOf(2)), record(objectOf(2))]);
    expect(store.isDue(id(2))).toBe(false);
    expect(values.filter((value) => 'UploadsCompleted' in value)).toHaveLength(1);
    expect(values.filter((value) => 'UploadsDuplicate' in value)).toHaveLength(2);
  });

  test('has no negative time when the clocks of AWS differ', async () => {
    const { store, record, values } = setUp(1);
    const issuedAt = Date.parse(store.upload(id(1)).issued_at);
    await record(objectOf(1, { createdAt: new Date(issuedAt - 20) }));
    expect(values).toMatchObject([{ UploadTime: 0 }]);
  });

  test('waits for other events that change the file, but not without end', async () => {
    const { store, record } = setUp(1);
    const { replaceContent } = store.tables;
    const changing = (times: number) => {
      let left = times;
      const replace: typeof replaceContent = (...change) =>
        left-- > 0 ? Promise.resolve(false) : replaceContent(...change);
      return Object.assign(store.tables, { replaceContent: replace });
    };
    changing(20);
    await expect(record(objectOf(1))).rejects.toThrow(
      `File orders.csv kept changing while upload ${id(1)} was recorded`,
    );
    expect(store.upload(id(1)).state).toBe('issued');
    changing(19);
    await record(objectOf(1));
    expect(store.upload(id(1)).state).toBe('completed');
  });

  test('fails, so that its event ends in the dead-letter queue, when its upload or its file is missing', async () => {
    await expect(setUp().record(objectOf(1))).rejects.toThrow(`No upload ${id(1)}`);
    const { store, record } = setUp(1);
    store.files.clear();
    await expect(record(objectOf(1))).rejects.toThrow('No file orders.csv of upload');
    expect(store.writes).toEqual([]);
  });

  test('that replaces one whose record is gone needs no mark', async () => {
    const { store, record, file } = setUp(2);
    await record(objectOf(1));
    store.uploads.delete(id(1));
    await record(objectOf(2));
    expect(file()?.content?.upload_id).toBe(id(2));
  });

  test('is announced once when another attempt completed it since this one read it', async () => {
    const { store, record, values } = setUp(1);
    const { readChecksum } = store.bucket;
    let isFirst = true;
    const slow: typeof readChecksum = async (...version) => {
      if (isFirst) {
        isFirst = false;
        await record(objectOf(1));
      }
      return readChecksum(...version);
    };
    Object.assign(store.bucket, { readChecksum: slow });
    expect(await record(objectOf(1))).toBe('known');
    expect(store.kinds()).toEqual([`completed ${id(1)}`]);
    expect(values).toMatchObject([{ UploadsCompleted: 1 }, { UploadsDuplicate: 1 }]);
  });
});

describe('an upload for a deleted file', () => {
  const deletedAt = '2026-01-31T08:30:00.000Z';

  test('never becomes content, and is not announced: its bytes are deleted as replaced content is', async () => {
    const { store, record, file, lines, values } = setUp(2);
    await record(objectOf(1));
    store.announced.length = 0;
    const before = { ...file(), deleted_at: deletedAt };
    store.files.set('orders.csv', before);
    await record(objectOf(2));
    expect(file()).toEqual(before);
    expect(store.upload(id(2))).toMatchObject({
      state: 'completed',
      size: 2,
      superseded_at: noon.toISOString(),
      due_at: '2026-02-01T09:10:00.000Z',
    });
    expect(store.announced).toEqual([]);
    expect(lines.at(-1)).toEqual({
      level: 'INFO',
      message: 'uploadDiscarded',
      upload_id: id(2),
      file_id: 'orders.csv',
      client_id: 'client',
      organisation_id: 'acme',
    });
    expect(values.at(-1)).toEqual({ UploadsDiscarded: 1 });
  });

  test('is counted once, however often its event comes', async () => {
    const { store, record, values } = setUp(1);
    store.files.set('orders.csv', { deleted_at: deletedAt });
    expect(await record(objectOf(1))).toBe('discarded');
    expect(await record(objectOf(1))).toBe('known');
    expect(values).toEqual([{ UploadsDiscarded: 1 }, { UploadsDuplicate: 1 }]);
  });

  test('is discarded by its own record too, when a new file has the id of the deleted one', async () => {
    const { store, record, file } = setUp(1);
    store.change(id(1), { deleted_at: deletedAt, superseded_at: deletedAt });
    await record(objectOf(1));
    expect(file()).toEqual({});
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: deletedAt });
  });

  test('ends the same after a crash at each step', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const { store, record, file } = setUp(1);
      store.files.set('orders.csv', { deleted_at: deletedAt });
      died = await dyingAt(step, store, () => record(objectOf(1)));
      await record(objectOf(1));
      expect(file()).toEqual({ deleted_at: deletedAt });
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    }
  });
});

describe('a second version of an upload, which S3 should never accept,', () => {
  const second = objectOf(1, {
    versionId: 'second',
    size: 99,
    etag: 'second',
    sequencer: '0055AED6DCD90281E6',
    sourceIp: undefined,
  });
  const incident = (version_id: string, size: number) => ({
    level: 'ERROR',
    message: 'secondVersion',
    upload_id: id(1),
    file_id: 'orders.csv',
    version_id,
    size,
  });
  const reportsIn = (lines: readonly { readonly message: string }[]) =>
    lines.filter(({ message }) => message === 'secondVersion');

  test('is reported and does not become content when its event comes second', async () => {
    for (const order of ['1 2', '1 2 1 2']) {
      const { store, record, file, lines, values } = setUp(1);
      for (const event of order.split(' ')) {
        await record(event === '1' ? objectOf(1) : second);
        expect(file()?.content?.version_id, order).toBe('version-1');
      }
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', version_id: 'version-1', size: 1 });
      const count = order.split(' ').filter((event) => event === '2').length;
      expect(reportsIn(lines)).toEqual(Array.from({ length: count }, () => incident('second', 99)));
      expect(values).toContainEqual({ SecondVersions: 1 });
      expect(
        store.announced.map(({ kind, ...it }) => [kind, 'content' in it && it.content.version_id]),
      ).toEqual(Array.from({ length: 1 + count }, () => ['completed', 'version-1']));
    }
  });

  test('is reported when its event comes first, and does not stay content: the first version is announced', async () => {
    const { store, record, file, lines, values } = setUp(1);
    store.checksums.set('version-1', '1BGd19PD4OU=');
    await record(second);
    expect(store.upload(id(1))).toMatchObject({ version_id: 'second' });
    expect(await record(objectOf(1))).toBe('completed');
    const facts = { version_id: 'version-1', size: 1, checksum_crc64nvme: '1BGd19PD4OU=' };
    expect(store.upload(id(1))).toMatchObject({ ...facts, uploaded_from: '192.0.2.7' });
    expect(file()?.content).toMatchObject(facts);
    expect(reportsIn(lines)).toEqual([incident('second', 99)]);
    expect(values).toContainEqual({ SecondVersions: 1 });
    expect(store.announced).toMatchObject([
      { content: { version_id: 'second' } },
      { content: facts, isCorrection: true, isNewestContent: true },
    ]);
    // Whatever comes again changes nothing.
    await record(second);
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject(facts);
    expect(file()?.content).toMatchObject(facts);
    expect(store.announced.at(-1)).toMatchObject({ content: facts, isCorrection: true });
  });

  test('of no bytes is no tombstone: it is reported, and never stays content', async () => {
    for (const isFirst of [false, true]) {
      const { store, record, file, lines } = setUp(1);
      const empty = { ...second, size: 0 };
      for (const object of isFirst ? [empty, objectOf(1)] : [objectOf(1), empty]) {
        await record(object);
      }
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', version_id: 'version-1', size: 1 });
      expect(file()?.content?.version_id).toBe('version-1');
      expect(reportsIn(lines)).toEqual([incident('second', 0)]);
    }
  });

  test('is corrected in the record, and not in the file, after later content replaced it', async () => {
    const { store, record, file } = setUp(2);
    await record(second);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
    expect(file()?.content).toMatchObject({ upload_id: id(2), version_id: 'version-2' });
    expect(store.announced.at(-1)).toMatchObject({ isCorrection: true, isNewestContent: false });
  });

  test('is corrected after a crash at each step', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const { store, record, file } = setUp(1);
      await record(second);
      died = await dyingAt(step, store, () => record(objectOf(1)));
      await record(objectOf(1));
      expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
      expect(file()?.content).toMatchObject({ version_id: 'version-1' });
      expect(store.announced.some(({ kind, ...it }) => kind === 'completed' && 'isCorrection' in it)).toBe(
        true,
      );
    }
  });

  test('is any other than what was recorded without a sequencer, of which a list showed that it is the first', async () => {
    const { store, record, file } = setUp(1);
    await record(objectOf(1, { sequencer: undefined }));
    expect(await record(second)).toBe('ignored');
    expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
    expect(file()?.content?.version_id).toBe('version-1');
  });

  test('is what comes for a cancelled upload, and what closes the URL of a completed one', async () => {
    const cancelled = setUp(1);
    await cancelled.store.tables.cancelUpload(id(1), noon.toISOString());
    expect(await cancelled.record(second)).toBe('ignored');
    expect(cancelled.lines).toEqual([incident('second', 99)]);
    expect(cancelled.file()?.content).toBeUndefined();
    expect(cancelled.store.upload(id(1)).state).toBe('cancelled');
    expect(cancelled.store.announced).toEqual([]);

    // The same when its URL is cancelled while its content is recorded.
    const meanwhile = setUp(1);
    const { announce } = meanwhile.store;
    const cancelling: typeof announce = async (announcement) => {
      await meanwhile.store.tables.cancelUpload(id(1), noon.toISOString());
      return announce(announcement);
    };
    expect(await meanwhile.record(second, { announce: cancelling })).toBe('ignored');
    expect(meanwhile.lines).toEqual([incident('second', 99)]);

    const completed = setUp(1);
    await completed.record(objectOf(1));
    completed.store.tagsByVersion.set('tombstone', 'cancelled');
    expect(await completed.record(tombstone)).toBe('ignored');
    expect(reportsIn(completed.lines)).toEqual([incident('tombstone', 0)]);
  });
});

test('sequencers are compared as hexadecimal text of one length (S3 User Guide, "Event message structure")', () => {
  for (const [one, other, isBefore] of [
    ['0055AED6DCD90281E5', '0055AED6DCD90281E6', true],
    ['0055AED6DCD90281E6', '0055AED6DCD90281E5', false],
    ['0055AED6DCD90281E5', '0055AED6DCD90281E5', false],
    ['0055AED6', '0055AED6DCD90281E5', true],
    ['0055AED7', '0055AED6DCD90281E5', false],
    ['0055aed6', '0055AED7', true],
    ['0055AED6', '0055AED600', false],
    [undefined, '00', false],
    ['00', undefined, false],
  ] as const) {
    expect([one, other, isEarlier(one, other)]).toEqual([one, other, isBefore]);
  }
});

describe('a tombstone', () => {
  test('of a superseded upload changes and announces nothing, and is counted', async () => {
    const { store, record, lines, values } = setUp(1);
    store.tagsByVersion.set('tombstone', 'superseded');
    await record(tombstone);
    expect(store.writes).toEqual([]);
    expect(lines).toEqual([
      { level: 'INFO', message: 'tombstoneSeen', upload_id: id(1), tombstone: 'superseded' },
    ]);
    expect(values).toEqual([{ UploadsSuperseded: 1 }]);
  });

  test('of a cancelled upload finishes a cancelling that was cut short, announces it, and is counted', async () => {
    const { store, record, file, values } = setUp(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    await record(tombstone);
    expect(store.writes).toEqual(['announce', 'cancelUpload']);
    await record(tombstone);
    expect(store.upload(id(1))).toMatchObject({ state: 'cancelled', cancelled_at: noon.toISOString() });
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: noon.toISOString() }]);
    expect(file()?.content).toBeUndefined();
    expect(values[0]).toEqual({ UploadsCancelled: 1 });
  });

  test('of an upload that the command line has marked as cancelled is announced with the time of the mark', async () => {
    const { store, record } = setUp(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    const cancelled_at = '2026-01-31T08:30:00.000Z';
    store.change(id(1), { state: 'cancelled', cancelled_at });
    await record(tombstone);
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: cancelled_at }]);
    expect(store.upload(id(1))).toMatchObject({ cancelled_at });
    expect(store.isDue(id(1))).toBe(false);
  });

  test('is empty: an object with bytes is content, whatever its tags', async () => {
    const { store, record } = setUp(1);
    store.tagsByVersion.set('version-1', 'cancelled');
    await record(objectOf(1));
    expect(store.upload(id(1)).state).toBe('completed');
  });
});

test('an object whose key is not that of an upload is logged and ignored', async () => {
  const { store, record, lines } = setUp(1);
  const keys = ['uploads/', `uploads/${id(1)}/x`, `other/${id(1)}`, id(1), `uploads/${id(1)}x`];
  for (const key of keys) {
    expect(await record(objectOf(1, { key })), key).toBe('ignored');
  }
  expect(lines).toEqual(keys.map((key) => ({ level: 'WARN', message: 'foreignObject', key })));
  expect(store.writes).toEqual([]);
});

describe('an event that a crash interrupted at any step', () => {
  const cases: readonly { prepare: (parts: ReturnType<typeof setUp>) => unknown; event: CreatedObject }[] = [
    { prepare: () => undefined, event: objectOf(1) },
    { prepare: ({ record }) => record(objectOf(1)), event: objectOf(2) },
    { prepare: ({ record }) => record(objectOf(2)), event: objectOf(1) },
    { prepare: ({ store }) => store.tagsByVersion.set('tombstone', 'cancelled'), event: tombstone },
  ];

  test('is announced by its repetition, once or twice, and never again when it is completed', async () => {
    for (const { prepare, event } of cases) {
      const uploadId = event.key.slice('uploads/'.length);
      let stops = 0;
      for (let died = true; died; stops += 1) {
        const parts = setUp(2);
        const { store, record } = parts;
        await prepare(parts);
        store.announced.length = 0;
        died = await dyingAt(stops, store, () => record(event));
        await record(event);
        const sent = store.kinds();
        expect([...new Set(sent)]).toHaveLength(1);
        expect(sent.length).toBeLessThanOrEqual(died ? 2 : 1);
        expect(store.upload(uploadId).state).not.toBe('issued');
        await record(event);
        await record(event);
        expect(store.kinds()).toEqual(sent);
      }
      expect(stops).toBeGreaterThan(5);
    }
  });
});
