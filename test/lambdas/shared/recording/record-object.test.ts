import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
import { noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';
import { FakeStore, id, objectOf } from './fake-store.ts';

/** Uploads of one file, whose events are recorded. S3 has what an event tells of. */
function setUp(uploads = 0) {
  const store = new FakeStore();
  for (let number = 1; number <= uploads; number += 1) {
    store.issue(id(number), 'orders.csv');
  }
  const { log, lines, values } = recordingLog();
  const { tables, bucket, announce } = store;
  const dependencies = { tables, bucket, announce, now: () => noon, log };
  const record = (object: CreatedObject) => {
    store.put(object.key, object.versionId);
    return recordObject(object, dependencies);
  };
  const file = () => store.files.get('orders.csv');
  return { store, dependencies, record, file, lines, values };
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
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', ...facts });
    expect(store.upload(id(1))).not.toHaveProperty('superseded_at');
    expect(store.isDue(id(1))).toBe(false);
    expect(file()).toEqual({
      content: { upload_id: id(1), key: `uploads/${id(1)}`, ...facts },
      superseded: [],
    });
    // The order that docs/events.md promises: whoever gets the event finds the content in the file.
    expect(store.writes).toEqual(['replaceContent', 'announce', 'completeUpload']);
  });

  test('that replaces content settles it last, when the replaced content has its tombstone', async () => {
    const { store, record, file } = setUp(2);
    await record(objectOf(1));
    store.writes.length = 0;
    await record(objectOf(2));
    expect(store.writes).toEqual([
      'replaceContent',
      'announce',
      'completeUpload',
      'putSupersededTombstone',
      'markSuperseded',
      'shiftSuperseded',
      'settleUpload',
    ]);
    await record(objectOf(2));
    expect(file()).toMatchObject({ content: { upload_id: id(2) }, superseded: [] });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    expect(store.announced).toMatchObject([{ isNewestContent: true }, { isNewestContent: true }]);
  });

  test('that comes late completes it, says so, and never overwrites newer content', async () => {
    const { store, record, file } = setUp(2);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(file()?.content?.upload_id).toBe(id(2));
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
    expect(store.announced.at(-1)).toMatchObject({
      kind: 'completed',
      upload: { upload_id: id(1) },
      isNewestContent: false,
      content: { version_id: 'version-1', size: 1 },
    });
  });

  test('is the first content of a new file, which has no list of replaced uploads yet', async () => {
    const { store, record, file } = setUp(1);
    store.files.set('orders.csv', {});
    await record(objectOf(1));
    expect(file()).toMatchObject({ content: { upload_id: id(1) }, superseded: [] });
    expect(store.tombstones).toEqual([]);
  });

  test('puts no second tombstone over an upload that another event has superseded', async () => {
    const { store, record, file } = setUp(2);
    await record(objectOf(1));
    await store.tables.markSuperseded(id(1), '2026-01-30T09:00:00.000Z');
    await record(objectOf(2));
    expect(store.tombstones).toEqual([]);
    expect(file()?.superseded).toEqual([]);
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

  test('is counted once, also when its event is repeated before it is settled', async () => {
    const { store, record, values } = setUp(2);
    await record(objectOf(1));
    values.length = 0;
    // It replaces other content, so that it is completed before it is settled: here, for as long as two events are recorded.
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

  test('that replaces one which is missing fails, and the list still names that one', async () => {
    const { store, record, file } = setUp(2);
    await record(objectOf(1));
    store.uploads.delete(id(1));
    await expect(record(objectOf(2))).rejects.toThrow(`No upload ${id(1)} to supersede`);
    expect(file()).toMatchObject({ superseded: [id(1)] });
  });

  test('that was cancelled fails: bytes and tombstone cannot both win', async () => {
    const { store, record, file } = setUp(1);
    await store.tables.cancelUpload(id(1), noon.toISOString());
    await expect(record(objectOf(1))).rejects.toThrow('is cancelled but has content');
    expect(file()?.content).toBeUndefined();
  });

  test('that a crash left completed, but not in the file, brings its first facts there', async () => {
    const { store, record, file } = setUp(1);
    const { versionId: version_id, size, etag } = objectOf(1);
    const facts = { version_id, size, etag, completed_at: noon.toISOString() };
    await store.tables.completeUpload(id(1), facts);
    await record(objectOf(1, { size: 99, etag: 'other' }));
    expect(file()?.content).toEqual({ upload_id: id(1), key: `uploads/${id(1)}`, ...facts });
  });

  test('that an older version completed, and did not announce, is announced', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    store.change(id(1), { due_shard: '1', due_at: '2026-01-31T10:10:00.000Z' });
    store.announced.length = 0;
    await record(objectOf(1));
    expect(store.kinds()).toEqual([`completed ${id(1)}`]);
  });

  test('that is completed is not announced again, however often its tombstones fail afterwards', async () => {
    const { store, dependencies, record } = setUp(2);
    await record(objectOf(1));
    const failing = { ...store.bucket, putSupersededTombstone: () => Promise.reject(new Error('no S3')) };
    store.put(objectOf(2).key, objectOf(2).versionId);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await expect(recordObject(objectOf(2), { ...dependencies, bucket: failing })).rejects.toThrow('no S3');
    }
    expect(store.upload(id(2))).toMatchObject({ state: 'completed', announced: true });
    expect(store.isDue(id(2))).toBe(true);
    await record(objectOf(2));
    expect(store.kinds()).toEqual([`completed ${id(1)}`, `completed ${id(2)}`]);
    expect(store.isDue(id(2))).toBe(false);
  });
});

describe('an upload for a deleted file', () => {
  const deletedAt = '2026-01-31T08:30:00.000Z';

  test('never becomes content, and is not announced: a tombstone starts the retention of its bytes', async () => {
    const { store, record, file, lines, values } = setUp(2);
    await record(objectOf(1));
    store.announced.length = 0;
    const before = { ...file(), deleted_at: deletedAt };
    store.files.set('orders.csv', before);
    await record(objectOf(2));
    expect(file()).toEqual(before);
    expect(store.tombstones).toEqual([{ key: `uploads/${id(2)}`, tag: 'superseded' }]);
    expect(store.upload(id(2))).toMatchObject({
      state: 'completed',
      size: 2,
      superseded_at: noon.toISOString(),
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

  test('gets one tombstone and is counted once, however often its event comes', async () => {
    const { store, record, values } = setUp(1);
    store.files.set('orders.csv', { deleted_at: deletedAt });
    expect(await record(objectOf(1))).toBe('discarded');
    expect(await record(objectOf(1))).toBe('known');
    expect(store.tombstones).toHaveLength(1);
    expect(values).toEqual([{ UploadsDiscarded: 1 }]);
  });

  test('is superseded too when it was completed before its file was deleted, and settled when it was open', async () => {
    const { store, record, file } = setUp(1);
    await record(objectOf(1));
    store.files.set('orders.csv', { ...file(), deleted_at: deletedAt });
    store.change(id(1), { due_shard: '1', due_at: '2026-01-31T10:10:00.000Z' });
    await record(objectOf(1));
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    expect(store.isDue(id(1))).toBe(false);
  });

  test('is discarded by its own record too, when a new file has the id of the deleted one', async () => {
    const { store, record, file } = setUp(1);
    store.change(id(1), { deleted_at: deletedAt, superseded_at: deletedAt });
    await record(objectOf(1));
    expect(file()).toEqual({ superseded: [] });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
  });

  test('ends the same after a crash at each step', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const { store, record, file } = setUp(1);
      store.files.set('orders.csv', { deleted_at: deletedAt });
      died = await dyingAt(step, store, () => record(objectOf(1)));
      await record(objectOf(1));
      expect(file()).toEqual({ deleted_at: deletedAt });
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
      expect(store.isDue(id(1))).toBe(false);
      expect(store.tombstones.length).toBeGreaterThan(0);
    }
  });
});

describe('a second version of an upload, which S3 should never accept,', () => {
  const second = objectOf(1, { versionId: 'second', size: 99, etag: 'second' });
  const incident = {
    level: 'ERROR',
    message: 'secondVersion',
    upload_id: id(1),
    file_id: 'orders.csv',
    version_id: 'second',
  };

  /** Both versions of an upload in S3, the first before the second. */
  function setUpTwice() {
    const parts = setUp(1);
    parts.store.put(second.key, objectOf(1).versionId);
    parts.store.put(second.key, second.versionId);
    return parts;
  }

  test('is reported and never becomes content, in whatever order the events come', async () => {
    for (const order of ['1 2', '2 1', '2 1 2 1', '2 2 1']) {
      const { store, record, file, lines } = setUpTwice();
      const events = order.split(' ');
      for (const event of events) {
        await record(event === '1' ? objectOf(1) : second);
        expect(file()?.content?.version_id ?? 'version-1', order).toBe('version-1');
      }
      expect(store.upload(id(1))).toMatchObject({ state: 'completed', version_id: 'version-1', size: 1 });
      const reported = lines.filter(({ message }) => message === 'secondVersion');
      expect(reported).toEqual(
        events.filter((event) => event === '2').map(() => ({ ...incident, size: 99 })),
      );
    }
  });

  test('is reported when it is empty, and no tombstone', async () => {
    const { record, lines } = setUpTwice();
    await record({ ...second, size: 0 });
    expect(lines).toEqual([{ ...incident, size: 0 }]);
  });

  test('is reported when the first is a tombstone, of an upload that is issued or cancelled', async () => {
    for (const state of ['issued', 'cancelled']) {
      const { store, record, file, lines } = setUp(1);
      store.put(second.key, 'tombstone');
      if (state === 'cancelled') {
        await store.tables.cancelUpload(id(1), noon.toISOString());
      }
      await record(second);
      expect(lines).toEqual([{ ...incident, size: 99 }]);
      expect(file()?.content).toBeUndefined();
      expect(store.upload(id(1)).state).toBe(state);
    }
  });

  test('is still reported after the first was replaced, and deleted since', async () => {
    const { store, record, file, lines } = setUpTwice();
    await record(objectOf(1));
    store.issue(id(2), 'orders.csv');
    await record(objectOf(2));
    store.versions.set(second.key, ['second', 'tombstone']);
    await record(second);
    expect(lines.at(-1)).toEqual({ ...incident, size: 99 });
    expect(file()?.content?.upload_id).toBe(id(2));
  });

  test('is not what content is whose event is replayed after that content was replaced and deleted', async () => {
    const { store, dependencies, record, file, lines } = setUp(2);
    await record(objectOf(2));
    await store.tables.markSuperseded(id(1), noon.toISOString());
    store.versions.set(objectOf(1).key, ['tombstone']);
    await recordObject(objectOf(1), dependencies);
    expect(store.upload(id(1)).state).toBe('completed');
    expect(file()?.content?.upload_id).toBe(id(2));
    expect(lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('is not what a version is that S3 does not list: recording fails, and is tried again', async () => {
    const { dependencies, file, lines } = setUp(1);
    await expect(recordObject(objectOf(1), dependencies)).rejects.toThrow(
      `Version version-1 of upload ${id(1)} is not in the bucket`,
    );
    expect(lines).toEqual([]);
    expect(file()?.content).toBeUndefined();
  });
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

  test('is announced by its repetition, once or twice, and never again when it is settled', async () => {
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
        expect(store.isDue(uploadId)).toBe(false);
        await record(event);
        await record(event);
        expect(store.kinds()).toEqual(sent);
      }
      expect(stops).toBeGreaterThan(5);
    }
  });
});

describe('events late, twice, out of order, at the same time, with crashes, and with second versions', () => {
  const numbers = [1, 2, 3, 4, 5];
  const secondOf = (number: number) =>
    objectOf(number, { versionId: `second-${number}`, size: 99, etag: 'second' });

  /** Every event at least once, some twice, in any order, in waves that run at the same time. */
  const histories = fc.record({
    again: fc.array(fc.constantFrom(...numbers), { maxLength: 5 }),
    order: fc.infiniteStream(fc.nat()),
    waves: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
    crashes: fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
    isDoubled: fc.boolean(),
  });

  test('always end in the same state', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ again, order, waves, crashes, isDoubled }) => {
        const { store, record, lines } = setUp(numbers.length);
        const objects = [...numbers, ...again].flatMap((number) =>
          isDoubled ? [objectOf(number), secondOf(number)] : [objectOf(number)],
        );
        // S3 has the first versions first, whatever the order of the events.
        for (const { key, versionId } of objects) {
          store.put(key, versionId);
        }
        const places = objects.map((object) => ({ object, place: order.next().value }));
        const shuffled = places.sort((a, b) => a.place - b.place).map(({ object }) => object);
        await deliver(store, record, shuffled, waves, new Set(crashes));
        expectFinalState(store);
        const reported = lines.filter(({ message }) => message === 'secondVersion');
        expect(new Set(reported.map(({ version_id }) => version_id))).toEqual(
          new Set(isDoubled ? numbers.map((number) => secondOf(number).versionId) : []),
        );
      }),
      { numRuns: 500 },
    );
  });

  /** Repeats an event whose handler died, as EventBridge and Lambda do, and looks at the state before every step. */
  async function deliver(
    store: FakeStore,
    record: (object: CreatedObject) => Promise<unknown>,
    events: readonly CreatedObject[],
    waves: readonly number[],
    crashes: ReadonlySet<number>,
  ): Promise<void> {
    const culprits: string[] = [];
    let calls = 0;
    store.crashPoint = () => {
      culprits.push(...completedBeforeContent(store), ...settledBeforeAnnounced(store));
      calls += 1;
      if (crashes.has(calls)) {
        throw new Error('crash');
      }
    };
    const waiting = [...events];
    for (let wave = 0; waiting.length > 0; wave += 1) {
      const batch = waiting.splice(0, waves[wave % waves.length] ?? 1);
      const outcomes = await Promise.allSettled(batch.map(record));
      waiting.push(...batch.filter((_, index) => outcomes[index]?.status === 'rejected'));
    }
    expect(culprits).toEqual([]);
  }

  /** Uploads that nobody looks at any more, although no event said that they are completed. */
  function settledBeforeAnnounced(store: FakeStore): string[] {
    const announced = new Set(store.announced.map(({ upload }) => upload.upload_id));
    return numbers.map(id).filter((it) => !store.isDue(it) && !announced.has(it));
  }

  /** Uploads that are completed although the file has neither their content nor newer content yet. */
  function completedBeforeContent(store: FakeStore): string[] {
    const content = store.files.get('orders.csv')?.content?.upload_id ?? '';
    return numbers.map(id).filter((it) => it > content && store.upload(it).state === 'completed');
  }

  function expectFinalState(store: FakeStore): void {
    expect([...new Set(store.kinds())].toSorted()).toEqual(
      numbers.map((number) => `completed ${id(number)}`),
    );
    const newest = numbers.length;
    const { versionId, size, etag } = objectOf(newest);
    expect(store.files.get('orders.csv')).toMatchObject({
      content: { upload_id: id(newest), version_id: versionId, size, etag },
      superseded: [],
    });
    for (const number of numbers) {
      const upload = store.upload(id(number));
      expect(upload).toMatchObject({ state: 'completed', version_id: `version-${number}`, size: number });
      expect(upload.superseded_at !== undefined).toBe(number !== newest);
    }
    // Each replaced object is marked, and the current one never.
    const marked = new Set(store.tombstones.map(({ key }) => key));
    expect(marked).toEqual(new Set(numbers.slice(0, -1).map((number) => `uploads/${id(number)}`)));
  }
});
