import { describe, expect, test } from 'vitest';
import type { CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
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
    createdAt: noon,
    ...change,
  };
}

const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });

interface Situation {
  readonly store: FakeStore;
  readonly record: (object: CreatedObject) => Promise<unknown>;
}

function setUp(): Situation {
  const store = new FakeStore();
  for (const number of [1, 2]) {
    store.issue(id(number), 'orders.csv');
  }
  const { tables, bucket, announce } = store;
  const dependencies = { tables, bucket, announce, now: () => noon, log: recordingLog().log };
  const record = (object: CreatedObject) => {
    store.put(object.key, object.versionId);
    return recordObject(object, dependencies);
  };
  return { store, record };
}

/** What was there before the event, the event, and what is announced. */
const situations: readonly {
  readonly name: string;
  readonly prepare: (situation: Situation) => Promise<void> | void;
  readonly event: CreatedObject;
  readonly announced: object;
}[] = [
  {
    name: 'the first content of a file',
    prepare: () => undefined,
    event: objectOf(1),
    announced: { kind: 'completed', isNewestContent: true, content: { version_id: 'version-1', size: 1 } },
  },
  {
    name: 'content that replaces other content',
    prepare: async ({ record }) => void (await record(objectOf(1))),
    event: objectOf(2),
    announced: { kind: 'completed', isNewestContent: true, content: { version_id: 'version-2', size: 2 } },
  },
  {
    name: 'content that comes after newer content',
    prepare: async ({ record }) => void (await record(objectOf(2))),
    event: objectOf(1),
    announced: { kind: 'completed', isNewestContent: false, content: { version_id: 'version-1', size: 1 } },
  },
  {
    name: 'a URL whose cancellation was cut short',
    prepare: ({ store }) => void store.tagsByVersion.set('tombstone', 'cancelled'),
    event: tombstone,
    announced: { kind: 'cancelled', at: noon.toISOString() },
  },
  {
    name: 'a URL that the command line has marked as cancelled',
    prepare: ({ store }) => {
      store.tagsByVersion.set('tombstone', 'cancelled');
      const upload = store.uploads.get(id(1));
      if (upload?.state === 'issued') {
        const cancelled_at = '2026-01-31T08:30:00.000Z';
        store.uploads.set(id(1), { ...upload, state: 'cancelled', cancelled_at });
      }
    },
    event: tombstone,
    announced: { kind: 'cancelled', at: '2026-01-31T08:30:00.000Z' },
  },
];

describe.each(situations)('$name', ({ prepare, event, announced }) => {
  /** How an event ends of which the function stops at a step: before the effect of the step, or after it. */
  async function stopAt(step: number, { store, record }: Situation): Promise<'stopped' | 'done'> {
    let left = step;
    store.crashPoint = () => {
      left -= 1;
      if (left < 0) {
        throw new Error('crash');
      }
    };
    const outcome = await record(event).then(
      () => 'done' as const,
      () => 'stopped' as const,
    );
    store.crashPoint = () => undefined;
    return outcome;
  }

  test('is announced with what is known of it', async () => {
    const situation = setUp();
    await prepare(situation);
    situation.store.announced.length = 0;
    await situation.record(event);
    const { upload_id } = situation.store.uploads.get(event.key.slice('uploads/'.length)) ?? {};
    expect(situation.store.announced).toMatchObject([{ ...announced, upload: { upload_id } }]);
  });

  test('is announced by the repeated event after a stop at any step, and is not announced again when it is settled', async () => {
    let stops = 0;
    for (let step = 0; ; step += 1) {
      const situation = setUp();
      await prepare(situation);
      const { store, record } = situation;
      store.announced.length = 0;
      const outcome = await stopAt(step, situation);
      await record(event);
      const events = [...store.announced];
      // The stop was either before the event was sent, or after it: never two repetitions for one stop.
      expect(events.length).toBeGreaterThanOrEqual(1);
      expect(events.length).toBeLessThanOrEqual(outcome === 'stopped' ? 2 : 1);
      expect(new Set(events.map(({ kind, upload }) => `${kind} ${upload.upload_id}`)).size).toBe(1);
      expect(store.uploads.get(event.key.slice('uploads/'.length))).not.toHaveProperty('due_at');

      await record(event);
      await record(event);
      expect(store.announced).toHaveLength(events.length);
      if (outcome === 'done') {
        break;
      }
      stops += 1;
    }
    expect(stops).toBeGreaterThan(5);
  });

  test('stays unsettled while EventBridge does not take its event', async () => {
    const situation = setUp();
    await prepare(situation);
    const { tables, bucket } = situation.store;
    const announce = async () => {
      throw new Error('no bus');
    };
    situation.store.put(event.key, event.versionId);
    const dependencies = { tables, bucket, announce, now: () => noon, log: recordingLog().log };
    await expect(recordObject(event, dependencies)).rejects.toThrow('no bus');
    const upload = situation.store.uploads.get(event.key.slice('uploads/'.length));
    expect(upload).toHaveProperty('due_at');
    expect(upload?.state).not.toBe('completed');
  });
});

test('content that is completed is not announced again, however often its tombstones fail afterwards', async () => {
  const { store, record } = setUp();
  await record(objectOf(1));
  store.announced.length = 0;
  const failing = { ...store.bucket, putSupersededTombstone: () => Promise.reject(new Error('no S3')) };
  const { tables, announce } = store;
  store.put(objectOf(2).key, objectOf(2).versionId);
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const dependencies = { tables, bucket: failing, announce, now: () => noon, log: recordingLog().log };
    await expect(recordObject(objectOf(2), dependencies)).rejects.toThrow('no S3');
  }
  expect(store.announced).toHaveLength(1);
  expect(store.uploads.get(id(2))).toMatchObject({ state: 'completed', announced: true });
  expect(store.uploads.get(id(2))).toHaveProperty('due_at');

  await record(objectOf(2));
  expect(store.announced).toHaveLength(1);
  expect(store.uploads.get(id(2))).not.toHaveProperty('due_at');
});

test('content that an older version completed, and did not announce, is announced', async () => {
  const { store, record } = setUp();
  await record(objectOf(1));
  const before = store.uploads.get(id(1));
  if (before === undefined) {
    throw new Error('no upload');
  }
  store.uploads.set(id(1), { ...before, due_shard: '1', due_at: '2026-01-31T10:10:00.000Z' });
  store.announced.length = 0;
  await record(objectOf(1));
  expect(store.announced).toHaveLength(1);
});

test('content of a deleted file is not announced', async () => {
  const { store, record } = setUp();
  store.files.set('orders.csv', { deleted_at: noon.toISOString() });
  await record(objectOf(1));
  expect(store.uploads.get(id(1))?.state).toBe('completed');
  expect(store.announced).toEqual([]);
});

test('a tombstone of replaced content is not announced', async () => {
  const { store, record } = setUp();
  store.tagsByVersion.set('tombstone', 'superseded');
  await record(tombstone);
  expect(store.announced).toEqual([]);
});
