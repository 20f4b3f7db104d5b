import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readObjectEvent } from '../../../../lambdas/record-upload/object-event.ts';
import type { CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
import { uploadIdOf } from '../../../../storage/object-key.ts';
import { noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';
import { FakeStore } from './fake-store.ts';

/** Upload ids in the order of issue. */
const id = (number: number) => `019c1b2e-7d3a-7${String(number).padStart(3, '0')}-8f43-5e0d1c2b3a49`;

function objectOf(number: number, change: Partial<CreatedObject> = {}): CreatedObject {
  return {
    key: `uploads/${id(number)}`,
    versionId: `version-${number}`,
    size: number,
    etag: `etag-${number}`,
    createdAt: new Date(noon.getTime() + number),
    ...change,
  };
}

function setUp(uploads = 0) {
  const store = new FakeStore();
  for (let number = 1; number <= uploads; number++) {
    store.issue(id(number), 'orders.csv');
  }
  const { log, lines, values } = recordingLog();
  const { tables, bucket, announce } = store;
  const dependencies = { tables, bucket, announce, now: () => noon, log };
  const record = (object: CreatedObject) => {
    store.put(object.key, object.versionId);
    return recordObject(object, dependencies);
  };
  return { store, record, lines, values };
}

describe('an upload for a deleted file', () => {
  const deletedAt = '2026-01-31T08:30:00.000Z';

  test('never becomes content: a tombstone starts the retention of its bytes', async () => {
    const { store, record, lines } = setUp(2);
    await record(objectOf(1));
    const before = { ...store.files.get('orders.csv'), deleted_at: deletedAt };
    store.files.set('orders.csv', before);
    await record(objectOf(2));
    expect(store.files.get('orders.csv')).toEqual(before);
    expect(store.tombstones).toEqual([{ key: `uploads/${id(2)}`, tag: 'superseded' }]);
    expect(store.uploads.get(id(2))).toMatchObject({
      state: 'completed',
      size: 2,
      superseded_at: noon.toISOString(),
    });
    expect(lines.at(-1)).toEqual({
      level: 'INFO',
      message: 'uploadDiscarded',
      upload_id: id(2),
      file_id: 'orders.csv',
      client_id: 'client',
      organisation_id: 'acme',
    });
  });

  test('is marked and superseded too when it was completed before its file was deleted', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    store.files.set('orders.csv', { ...store.files.get('orders.csv'), deleted_at: deletedAt });
    await record(objectOf(1));
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
    expect(store.uploads.get(id(1))).toMatchObject({
      state: 'completed',
      superseded_at: noon.toISOString(),
    });
  });

  test('is discarded by its own record too, when a new file has the id of the deleted one', async () => {
    const { store, record } = setUp(1);
    const upload = store.uploads.get(id(1));
    if (upload !== undefined) {
      store.uploads.set(id(1), { ...upload, deleted_at: deletedAt, superseded_at: deletedAt });
    }
    await record(objectOf(1));
    expect(store.files.get('orders.csv')).toEqual({ superseded: [] });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
  });

  test('gets one tombstone, however often its event comes', async () => {
    const { store, record } = setUp(1);
    store.files.set('orders.csv', { deleted_at: deletedAt });
    await record(objectOf(1));
    await record(objectOf(1));
    expect(store.tombstones).toHaveLength(1);
  });

  test('ends the same after a crash at each step', async () => {
    for (let step = 0; ; step += 1) {
      const { store, record } = setUp(1);
      store.files.set('orders.csv', { deleted_at: deletedAt });
      let left = step;
      store.crashPoint = () => {
        left -= 1;
        if (left < 0) {
          throw new Error('crash');
        }
      };
      const crashed = await record(objectOf(1)).then(
        () => false,
        () => true,
      );
      store.crashPoint = () => undefined;
      await record(objectOf(1));
      expect(store.files.get('orders.csv')).toEqual({ deleted_at: deletedAt });
      expect(store.uploads.get(id(1))).toMatchObject({
        state: 'completed',
        superseded_at: noon.toISOString(),
      });
      expect(store.tombstones.length).toBeGreaterThan(0);
      if (!crashed) {
        break;
      }
    }
  });

  test('of a file that is lost, and not deleted, waits for its file: nothing is discarded', async () => {
    const { store, record } = setUp(1);
    store.files.clear();
    await expect(record(objectOf(1))).rejects.toThrow('No file orders.csv of upload');
    expect(store.tombstones).toEqual([]);
  });
});

describe('recording an upload', () => {
  test('points the file at it, and completes it with the facts of its object', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    const facts = {
      version_id: 'version-1',
      size: 1,
      etag: 'etag-1',
      completed_at: '2026-01-31T09:00:00.001Z',
    };
    expect(store.uploads.get(id(1))).toMatchObject({ state: 'completed', ...facts });
    expect(store.uploads.get(id(1))).not.toHaveProperty('superseded_at');
    expect(store.files.get('orders.csv')).toEqual({
      content: { upload_id: id(1), key: `uploads/${id(1)}`, ...facts },
      superseded: [],
    });
    expect(store.tombstones).toEqual([]);
  });

  test('is the first content of a new file, which has no list of replaced uploads yet', async () => {
    const { store, record } = setUp(1);
    store.files.set('orders.csv', {});
    await record(objectOf(1));
    expect(store.files.get('orders.csv')).toMatchObject({ content: { upload_id: id(1) }, superseded: [] });
    expect(store.tombstones).toEqual([]);
  });

  test('puts no second tombstone over an upload that another event has superseded', async () => {
    const { store, record } = setUp(2);
    await record(objectOf(1));
    await store.tables.markSuperseded(id(1), '2026-01-30T09:00:00.000Z');
    await record(objectOf(2));
    expect(store.tombstones).toEqual([]);
    expect(store.uploads.get(id(1))?.superseded_at).toBe('2026-01-30T09:00:00.000Z');
    expect(store.files.get('orders.csv')).toMatchObject({ content: { upload_id: id(2) }, superseded: [] });
  });

  test('of zero bytes is content like any other', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1, { size: 0 }));
    expect(store.files.get('orders.csv')?.content).toMatchObject({ upload_id: id(1), size: 0 });
  });

  test('has the checksum of S3 in both records, read once however often the event comes', async () => {
    const { store, record } = setUp(1);
    store.checksums.set('version-1', '1BGd19PD4OU=');
    await record(objectOf(1));
    await record(objectOf(1));
    expect(store.uploads.get(id(1))).toMatchObject({ checksum_crc64nvme: '1BGd19PD4OU=' });
    expect(store.files.get('orders.csv')?.content).toMatchObject({ checksum_crc64nvme: '1BGd19PD4OU=' });
    expect(store.checksumsRead).toEqual(['version-1']);
    expect(store.announced).toMatchObject([{ content: { checksum_crc64nvme: '1BGd19PD4OU=' } }]);
  });

  test('is recorded without a checksum when S3 has none', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    expect(store.uploads.get(id(1))).not.toHaveProperty('checksum_crc64nvme');
    expect(store.files.get('orders.csv')?.content).not.toHaveProperty('checksum_crc64nvme');
  });

  test('a second time changes nothing: the first facts stay', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    const before = structuredClone([...store.uploads, ...store.files]);
    await record(objectOf(1, { etag: 'other', versionId: 'other', size: 99 }));
    expect([...store.uploads, ...store.files]).toEqual(before);
  });

  test('that is newer replaces the content, and marks the replaced one once', async () => {
    const { store, record } = setUp(2);
    await record(objectOf(1));
    await record(objectOf(2));
    await record(objectOf(2));
    expect(store.files.get('orders.csv')).toMatchObject({ content: { upload_id: id(2) }, superseded: [] });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
    expect(store.uploads.get(id(1))).toMatchObject({
      state: 'completed',
      superseded_at: noon.toISOString(),
    });
  });

  test('that comes late completes it, but never overwrites newer content', async () => {
    const { store, record } = setUp(2);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(store.files.get('orders.csv')?.content?.upload_id).toBe(id(2));
    expect(store.uploads.get(id(1))).toMatchObject({ state: 'completed', superseded_at: noon.toISOString() });
    expect(store.tombstones).toEqual([{ key: `uploads/${id(1)}`, tag: 'superseded' }]);
  });

  test('is logged with its ids and its size', async () => {
    const { record, lines } = setUp(1);
    await record(objectOf(1));
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'uploadRecorded',
        upload_id: id(1),
        file_id: 'orders.csv',
        size: 1,
        client_id: 'client',
        organisation_id: 'acme',
      },
    ]);
  });

  test('is counted once, with its size and the time since its URL was issued', async () => {
    const { record, values, store } = setUp(1);
    const issuedAt = Date.parse(store.uploads.get(id(1))?.issued_at ?? '');
    const stored = objectOf(1, { createdAt: new Date(issuedAt + 1500) });
    await record(stored);
    await record(stored);
    expect(values).toEqual([
      { UploadsCompleted: 1, UploadBytes: 1, UploadTime: 1500 },
      { UploadsDuplicate: 1 },
    ]);
  });

  test('has no negative time when the clocks of AWS differ', async () => {
    const { record, values, store } = setUp(1);
    const issuedAt = Date.parse(store.uploads.get(id(1))?.issued_at ?? '');
    await record(objectOf(1, { createdAt: new Date(issuedAt - 20) }));
    expect(values).toMatchObject([{ UploadTime: 0 }]);
  });

  test('that a crash left completed, but not in the file, brings its first facts there', async () => {
    const { store, record } = setUp(1);
    const { versionId: version_id, size, etag } = objectOf(1);
    const checksum_crc64nvme = '1BGd19PD4OU=';
    const facts = { version_id, size, etag, checksum_crc64nvme, completed_at: noon.toISOString() };
    await store.tables.completeUpload(id(1), facts);
    await record(objectOf(1, { size: 99, etag: 'other' }));
    expect(store.files.get('orders.csv')?.content).toEqual({
      upload_id: id(1),
      key: `uploads/${id(1)}`,
      ...facts,
    });
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
    expect(store.uploads.get(id(1))?.state).toBe('issued');
    changing(19);
    await record(objectOf(1));
    expect(store.uploads.get(id(1))?.state).toBe('completed');
  });

  test('that replaces one which is missing fails, and the list still names that one', async () => {
    const { store, record } = setUp(2);
    await record(objectOf(1));
    store.uploads.delete(id(1));
    await expect(record(objectOf(2))).rejects.toThrow(`No upload ${id(1)} to supersede`);
    expect(store.files.get('orders.csv')).toMatchObject({ superseded: [id(1)] });
    expect(store.tombstones).toEqual([]);
  });

  test('that nobody issued fails, so that it ends in the dead-letter queue', async () => {
    await expect(setUp().record(objectOf(1))).rejects.toThrow(`No upload ${id(1)}`);
  });

  test('whose file is missing fails', async () => {
    const { store, record } = setUp(1);
    store.files.clear();
    await expect(record(objectOf(1))).rejects.toThrow('No file orders.csv');
  });

  test('that was cancelled fails: bytes and tombstone cannot both win', async () => {
    const { store, record } = setUp(1);
    await store.tables.cancelUpload(id(1), noon.toISOString());
    await expect(record(objectOf(1))).rejects.toThrow('is cancelled but has content');
    expect(store.files.get('orders.csv')?.content).toBeUndefined();
  });
});

describe('a second version of an upload, which S3 should never accept,', () => {
  const second = (number: number) =>
    objectOf(number, { versionId: `second-${number}`, size: 99, etag: 'second' });

  /** Both versions of an upload in S3, the first before the second. */
  function setUpTwice(size = 99) {
    const parts = setUp(1);
    parts.store.put(objectOf(1).key, objectOf(1).versionId);
    parts.store.put(objectOf(1).key, second(1).versionId);
    return { ...parts, recordSecond: () => parts.record({ ...second(1), size }) };
  }

  const incident = {
    level: 'ERROR',
    message: 'secondVersion',
    upload_id: id(1),
    file_id: 'orders.csv',
    version_id: 'second-1',
  };

  test.each([
    ['after the first', ['first', 'second']],
    ['before the first', ['second', 'first']],
    ['before and after the first', ['second', 'first', 'second', 'first']],
    ['twice before the first', ['second', 'second', 'first']],
  ])('is reported and never becomes content when its event comes %s', async (_, order) => {
    const { store, record, recordSecond, lines, values } = setUpTwice();
    for (const event of order) {
      await (event === 'first' ? record(objectOf(1)) : recordSecond());
      const { content } = store.files.get('orders.csv') ?? {};
      expect(content?.version_id ?? 'version-1').toBe('version-1');
    }
    expect(store.uploads.get(id(1))).toMatchObject({ state: 'completed', version_id: 'version-1', size: 1 });
    expect(store.files.get('orders.csv')?.content).toMatchObject({ version_id: 'version-1', etag: 'etag-1' });
    expect(lines.filter(({ message }) => message === 'secondVersion')).toEqual(
      order.filter((event) => event === 'second').map(() => ({ ...incident, size: 99 })),
    );
    const counted = values.filter((value) => 'SecondVersions' in value);
    expect(counted).toEqual(order.filter((event) => event === 'second').map(() => ({ SecondVersions: 1 })));
  });

  test('is reported when it is empty, and no tombstone', async () => {
    const { recordSecond, lines } = setUpTwice(0);
    await recordSecond();
    expect(lines).toEqual([{ ...incident, size: 0 }]);
  });

  test.each(['issued', 'cancelled'])(
    'is reported when the first is the tombstone of an upload that is %s',
    async (state) => {
      const { store, record, lines } = setUp(1);
      store.put(`uploads/${id(1)}`, 'tombstone');
      if (state === 'cancelled') {
        await store.tables.cancelUpload(id(1), noon.toISOString());
      }
      await record(second(1));
      expect(lines).toEqual([{ ...incident, size: 99 }]);
      expect(store.files.get('orders.csv')?.content).toBeUndefined();
      expect(store.uploads.get(id(1))?.state).toBe(state);
    },
  );

  test('is still reported after the first was replaced, and deleted since', async () => {
    const { store, record, recordSecond, lines } = setUpTwice();
    await record(objectOf(1));
    store.issue(id(2), 'orders.csv');
    await record(objectOf(2));
    store.versions.set(`uploads/${id(1)}`, ['second-1', 'tombstone']);
    await recordSecond();
    expect(lines.at(-1)).toEqual({ ...incident, size: 99 });
    expect(store.files.get('orders.csv')?.content?.upload_id).toBe(id(2));
  });

  test('is what content is not whose event is replayed after that content was replaced and deleted', async () => {
    const { store, record, lines } = setUp(2);
    await record(objectOf(2));
    await store.tables.markSuperseded(id(1), noon.toISOString());
    const { versions, tables, bucket, announce } = store;
    versions.set(`uploads/${id(1)}`, ['tombstone']);
    const { log } = recordingLog();
    await recordObject(objectOf(1), { tables, bucket, announce, now: () => noon, log });
    expect(store.uploads.get(id(1))?.state).toBe('completed');
    expect(store.files.get('orders.csv')?.content?.upload_id).toBe(id(2));
    expect(lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('is not what a version is that S3 does not list: recording fails, and is tried again', async () => {
    const { store } = setUp(1);
    const { tables, bucket, announce } = store;
    const { log, lines } = recordingLog();
    const recorded = recordObject(objectOf(1), { tables, bucket, announce, now: () => noon, log });
    await expect(recorded).rejects.toThrow(`Version version-1 of upload ${id(1)} is not in the bucket`);
    expect(lines).toEqual([]);
    expect(store.files.get('orders.csv')?.content).toBeUndefined();
  });
});

describe('a tombstone', () => {
  test('of a superseded upload changes nothing', async () => {
    const { store, record } = setUp(1);
    await record(objectOf(1));
    store.tagsByVersion.set('tombstone', 'superseded');
    const before = structuredClone([...store.uploads, ...store.files]);
    await record(objectOf(1, { size: 0, versionId: 'tombstone' }));
    expect([...store.uploads, ...store.files]).toEqual(before);
  });

  test('of a cancelled upload is no content, and finishes a cancelling that was cut short', async () => {
    const { store, record } = setUp(1);
    store.tagsByVersion.set('tombstone', 'cancelled');
    await record(objectOf(1, { size: 0, versionId: 'tombstone' }));
    await record(objectOf(1, { size: 0, versionId: 'tombstone' }));
    expect(store.uploads.get(id(1))?.state).toBe('cancelled');
    expect(store.files.get('orders.csv')?.content).toBeUndefined();
  });
});

describe('a tombstone, by its size', () => {
  test('is empty: an object with bytes is content, whatever its tags', async () => {
    const { store, record } = setUp(1);
    store.tagsByVersion.set('version-1', 'cancelled');
    await record(objectOf(1));
    expect(store.uploads.get(id(1))?.state).toBe('completed');
  });

  test.each(['cancelled', 'superseded'])('is logged: %s', async (tombstone) => {
    const { store, record, lines } = setUp(1);
    store.tagsByVersion.set('tombstone', tombstone);
    await record(objectOf(1, { size: 0, versionId: 'tombstone' }));
    expect(lines).toEqual([{ level: 'INFO', message: 'tombstoneSeen', upload_id: id(1), tombstone }]);
    expect(store.uploads.get(id(1))).toMatchObject(
      tombstone === 'cancelled'
        ? { state: 'cancelled', cancelled_at: noon.toISOString() }
        : { state: 'issued' },
    );
  });
});

describe('a foreign object', () => {
  test.each([
    'uploads/',
    `uploads/${id(1)}/x`,
    `other/${id(1)}`,
    `${id(1)}`,
    'uploads/../x',
    `uploads/x${id(1)}`,
    `uploads/${id(1)}x`,
    `Uploads/${id(1)}`,
    `uploads.${id(1)}`,
    `uploads/${id(1)} `,
  ])('%j is logged and ignored', async (key) => {
    const { store, record, lines } = setUp(1);
    await record(objectOf(1, { key }));
    expect(lines).toEqual([{ level: 'WARN', message: 'foreignObject', key }]);
    expect(store.uploads.get(id(1))?.state).toBe('issued');
    expect(uploadIdOf(key)).toBeUndefined();
  });
});

describe('events late, twice, out of order, at the same time, and with crashes', () => {
  const count = 5;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);

  /** Every event at least once, some twice, in any order, in waves that run at the same time. */
  const deliveries = fc
    .tuple(
      fc.array(fc.constantFrom(...numbers), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
    )
    .chain(([again, waves]) =>
      fc.tuple(
        fc.shuffledSubarray([...numbers, ...again], { minLength: count + again.length }),
        fc.constant(waves),
      ),
    );

  const crashPoints = fc.array(fc.nat({ max: 60 }), { maxLength: 8 });

  test('always end in the same state', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, crashPoints, async ([order, waves], crashes) => {
        const { store, record } = setUp(count);
        await deliver(
          store,
          record,
          order.map((number) => objectOf(number)),
          waves,
          new Set(crashes),
        );
        expectFinalState(store);
      }),
      { numRuns: 500 },
    );
  });

  test('always end in the same state, even if S3 accepted every upload twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        deliveries,
        fc.infiniteStream(fc.boolean()),
        crashPoints,
        async ([order, waves], swapped, crashes) => {
          const { store, record, lines } = setUp(count);
          for (const number of numbers) {
            store.put(objectOf(number).key, objectOf(number).versionId);
            store.put(secondOf(number).key, secondOf(number).versionId);
          }
          const events = order.flatMap((number) => {
            const pair = [objectOf(number), secondOf(number)];
            return swapped.next().value ? pair.reverse() : pair;
          });
          await deliver(store, record, events, waves, new Set(crashes));
          expectFinalState(store);
          const reported = lines.filter(({ message }) => message === 'secondVersion');
          expect(new Set(reported.map(({ version_id }) => version_id))).toEqual(
            new Set(numbers.map((number) => secondOf(number).versionId)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  const secondOf = (number: number) =>
    objectOf(number, { versionId: `second-${number}`, size: 99, etag: 'second' });

  /** Repeats an event whose handler died, as EventBridge and Lambda do, and looks at the state before every step. */
  async function deliver(
    store: FakeStore,
    record: (object: CreatedObject) => Promise<unknown>,
    order: readonly CreatedObject[],
    waves: readonly number[],
    crashes: ReadonlySet<number>,
  ): Promise<void> {
    const contentless: string[] = [];
    const unannounced: string[] = [];
    let calls = 0;
    store.crashPoint = () => {
      contentless.push(...completedBeforeContent(store));
      unannounced.push(...settledBeforeAnnounced(store));
      calls += 1;
      if (crashes.has(calls)) {
        throw new Error('crash');
      }
    };
    const waiting = [...order];
    for (let wave = 0; waiting.length > 0; wave++) {
      const batch = waiting.splice(0, waves[wave % waves.length] ?? 1);
      const outcomes = await Promise.allSettled(batch.map(record));
      const failed = batch.filter((_, index) => outcomes[index]?.status === 'rejected');
      waiting.push(...failed);
    }
    expect(contentless).toEqual([]);
    expect(unannounced).toEqual([]);
  }

  /** Uploads that nobody looks at any more, although no event said that they are completed. */
  function settledBeforeAnnounced(store: FakeStore): string[] {
    const announced = new Set(store.announced.map(({ upload }) => upload.upload_id));
    return numbers.map(id).filter((it) => store.uploads.get(it)?.due_at === undefined && !announced.has(it));
  }

  /** Uploads that are completed although the file has neither their content nor newer content yet. */
  function completedBeforeContent(store: FakeStore): string[] {
    const content = store.files.get('orders.csv')?.content?.upload_id ?? '';
    return numbers.map(id).filter((it) => it > content && store.uploads.get(it)?.state === 'completed');
  }

  function expectFinalState(store: FakeStore): void {
    const ended = store.announced.map(({ kind, upload }) => `${kind} ${upload.upload_id}`);
    expect([...new Set(ended)].toSorted()).toEqual(numbers.map((number) => `completed ${id(number)}`));
    const newest = objectOf(count);
    expect(store.files.get('orders.csv')).toMatchObject({
      content: { upload_id: id(count), version_id: newest.versionId, size: newest.size, etag: newest.etag },
      superseded: [],
    });
    for (const number of numbers) {
      const { versionId, size, etag } = objectOf(number);
      const upload = store.uploads.get(id(number));
      expect(upload).toMatchObject({ state: 'completed', version_id: versionId, size, etag });
      expect(upload?.superseded_at !== undefined).toBe(number !== count);
    }
    // Each replaced object is marked, and the current one never.
    const marked = new Set(store.tombstones.map(({ key }) => key));
    expect(marked).toEqual(new Set(numbers.slice(0, -1).map((number) => `uploads/${id(number)}`)));
  }
});

describe('an event of S3', () => {
  const event = {
    version: '0',
    'detail-type': 'Object Created',
    source: 'aws.s3',
    time: '2026-01-31T09:00:00Z',
    detail: {
      bucket: { name: 'bucket' },
      object: { key: `uploads/${id(1)}`, size: 5, etag: 'etag-1', 'version-id': 'v1', sequencer: '00' },
      reason: 'PutObject',
    },
  };

  test('is read as documented, without quotes around the etag', () => {
    const quoted = structuredClone(event);
    quoted.detail.object.etag = '"etag-1"';
    for (const form of [event, quoted]) {
      expect(readObjectEvent(form)).toEqual({
        key: `uploads/${id(1)}`,
        versionId: 'v1',
        size: 5,
        etag: 'etag-1',
        createdAt: noon,
      });
    }
  });

  test.each([undefined, null, {}, { ...event, detail: {} }, { ...event, time: 'now' }])(
    'of another form is refused: %j',
    (form) => {
      expect(() => readObjectEvent(form)).toThrow();
    },
  );

  const withObject = (change: object) => ({
    ...event,
    detail: { ...event.detail, object: { ...event.detail.object, ...change } },
  });

  test.each([
    ['no time', { ...event, time: undefined }],
    ['a time that is a number', { ...event, time: 1_769_850_000 }],
    ['a time without a zone', { ...event, time: '2026-01-31T09:00:00' }],
    ['a day for a time', { ...event, time: '2026-01-31' }],
    ['no detail', { ...event, detail: undefined }],
    ['no object', { ...event, detail: { ...event.detail, object: undefined } }],
    ['no key', withObject({ key: undefined })],
    ['a key that is no text', withObject({ key: 1 })],
    ['no size', withObject({ size: undefined })],
    ['a size that is a text', withObject({ size: '5' })],
    ['a size below zero', withObject({ size: -1 })],
    ['half a byte', withObject({ size: 0.5 })],
    ['no etag', withObject({ etag: undefined })],
    ['an etag that is no text', withObject({ etag: 1 })],
    ['no version id', withObject({ 'version-id': undefined })],
    ['a version id that is no text', withObject({ 'version-id': 1 })],
  ])('with %s is refused', (_, form) => {
    expect(() => readObjectEvent(form)).toThrow(v.ValiError);
  });

  test('of an empty object is read', () => {
    expect(readObjectEvent(withObject({ size: 0 })).size).toBe(0);
  });
});
