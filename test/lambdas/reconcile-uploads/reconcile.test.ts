import { id, objectOf } from '../shared/recording/fake-store.ts';
import { dueAt, lastCheckAt, startHistory, startStored } from './history.ts';

/** Attributes of the first upload in a log line. */
const ids = { upload_id: id(1), file_id: 'orders.csv', client_id: 'client', organisation_id: 'acme' };

const [first, second] = [objectOf(1).key, objectOf(2).key];

const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });

/** One second before the last check, and one hour after it. */
const [beforeLastCheck, afterLastCheck] = ['2026-02-01T09:09:59.999Z', '2026-02-01T10:10:00.000Z'];

/** Creates stored and recorded uploads, each of which replaced the previous one. */
async function recorded(uploads: number) {
  const history = startStored(uploads);
  for (let number = 1; number <= uploads; number += 1) {
    await history.deliver(objectOf(number));
  }
  return history;
}

/** Creates an upload under the tombstone of its deleted file. */
async function startDeleted() {
  const history = startHistory(1);
  history.put(tombstone, 'superseded');
  return history;
}

describe('an upload that was stored, and whose event never came', () => {
  test('is recorded as its event would have recorded it, and counted', async () => {
    const { store, run, values, lines } = startStored(1);
    const byEvent = startHistory(1);
    // Only an event contains the sender.
    await byEvent.deliver(objectOf(1, { sourceIp: undefined }), { now: () => new Date(dueAt) });

    expect(await run(dueAt)).toEqual({ recorded: 1 });

    expect(store.items).toEqual(byEvent.store.items);
    expect(store.announced).toEqual(byEvent.store.announced);
    expect(values).toContainEqual({ UploadsReconciled: 1 });
    const line = { level: 'WARN', message: 'uploadReconciled', ...ids, state_before: 'issued' };
    expect(lines.filter(({ level }) => level === 'WARN')).toEqual([line]);
  });

  test('under the tombstone of its deleted file is done, and not announced', async () => {
    const { store, upload, run, lines } = await startDeleted();

    expect(await run(dueAt)).toEqual({ done: 1 });
    expect(upload(1)).toMatchObject({ expired_at: dueAt });
    expect(store.kinds()).toEqual([]);
    expect(lines).toContainEqual({ level: 'INFO', message: 'uploadDiscarded', ...ids });
  });
});

describe('content that was replaced', () => {
  // Until then a PUT to the URL may be in progress.
  test('is deleted a day after its URL has expired, and not before', async () => {
    const { objects, run, lines } = await recorded(2);

    expect(await run(beforeLastCheck)).toEqual({});
    expect([...objects.keys()]).toEqual([first, second]);
    expect(await run(lastCheckAt)).toEqual({ deleted: 1 });
    expect([...objects.keys()]).toEqual([second]);
    expect(lines).toContainEqual({ level: 'INFO', message: 'contentDeleted', ...ids });
    expect(await run('2026-03-01T00:00:00.000Z')).toEqual({});
  });

  test.for([
    ['before the file points at its replacement', {}],
    ['while the deletion of the file is undone', { deleted_at: dueAt, undeleted_at: dueAt }],
  ] as const)('is not deleted %s', async ([, marks]) => {
    const { store, objects, upload, run } = await recorded(1);
    store.change('orders.csv', marks);
    // Recording a second upload stopped after this step.
    await store.tables.markSuperseded(id(1), dueAt);

    expect(await run(lastCheckAt)).toEqual({ unchanged: 1 });
    expect(objects.has(first)).toBe(true);
    expect(upload(1)).toMatchObject({ due_at: afterLastCheck });
  });

  test.for([
    ['is deleted', { deleted_at: dueAt, delete_after: afterLastCheck }],
    ['is gone', undefined],
  ] as const)('is deleted when its file %s', async ([, ends]) => {
    const { store, objects, upload, run } = await recorded(1);
    await store.tables.markSuperseded(id(1), dueAt);
    if (ends === undefined) {
      store.items.delete('orders.csv');
    } else {
      store.change('orders.csv', ends);
    }

    expect(await run(lastCheckAt)).toEqual({ deleted: 1 });
    expect(objects.size).toBe(0);
    expect(upload(1)).toMatchObject(ends ?? {});
  });
});

test('a cancelled upload whose event was lost is announced with its own time', async () => {
  const { store, upload, run } = startHistory(1);
  const cancelled_at = '2026-01-31T08:40:00.000Z';
  store.change(id(1), { state: 'cancelled', cancelled_at });

  expect(await run(dueAt)).toEqual({ recorded: 1 });
  expect(store.announced).toMatchObject([{ kind: 'cancelled', at: cancelled_at }]);
  expect(upload(1)).toMatchObject({ cancelled_at });
});

describe('an unused upload URL', () => {
  test('is found unused once, and checked again a day later', async () => {
    const { store, upload, run, deliver, lines, values } = startHistory(1);

    expect(await run(dueAt)).toEqual({ expired: 1 });
    expect(upload(1)).toMatchObject({ state: 'issued', expired_at: dueAt, due_at: lastCheckAt });
    expect(lines).toContainEqual({ level: 'INFO', message: 'uploadExpired', ...ids });
    expect(await run(beforeLastCheck)).toEqual({});

    expect(await run(lastCheckAt)).toEqual({ done: 1 });
    expect(upload(1)).not.toHaveProperty('due_at');
    expect(store.kinds()).toEqual([`expired ${id(1)}`]);
    expect(values).toEqual([{ UploadsExpired: 1 }]);

    await deliver(objectOf(1));
    expect(upload(1)).toMatchObject({ state: 'completed', expired_at: dueAt });
  });

  test('is checked only once after its last check is due', async () => {
    const { store, upload, run } = startHistory(1);

    expect(await run(lastCheckAt)).toEqual({ expired: 1 });
    expect(upload(1)).not.toHaveProperty('due_at');
    expect(store.kinds()).toEqual([`expired ${id(1)}`]);
  });
});

describe('a run', () => {
  test.for([
    ['recorded', 1],
    ['postponed', 2],
    ['removed', 3],
  ] as const)('does not change an upload that was %s after the query', async ([, number]) => {
    const { store, deliver, reconcile } = startHistory(2);
    await deliver(objectOf(1));
    store.change(id(2), { due_at: lastCheckAt });
    const before = [...store.items];
    store.writes.length = 0;

    expect(await reconcile({ upload_id: id(number), due_at: dueAt }, lastCheckAt)).toBe('unchanged');
    expect(store.writes).toEqual([]);
    expect([...store.items]).toEqual(before);
  });

  test.for([
    ['an unused upload', async () => startHistory(1), dueAt],
    ['an upload of a deleted file', startDeleted, dueAt],
    ['a replaced upload', () => recorded(2), lastCheckAt],
  ] as const)('reports nothing of %s that another run completed', async ([, start, at]) => {
    const { due, run, lines } = await start();
    lines.length = 0;
    const rejected = async () => false;
    Object.assign(due, { expire: rejected, endUnused: rejected, endReplaced: rejected });

    expect(await run(at)).toEqual({ unchanged: 1 });

    const others = lines.filter(({ message }) => message !== 'tombstoneSeen');
    expect(others).toMatchObject([{ level: 'INFO', message: 'reconciliationDone' }]);
  });

  test('completes the others when one fails, and retries it in an hour', async () => {
    const { store, run, lines, values } = startStored(3);
    const { readUpload } = store.tables;
    const poisoned: typeof readUpload = (uploadId) =>
      uploadId === id(1) ? Promise.reject(new Error('poison')) : readUpload(uploadId);
    Object.assign(store.tables, { readUpload: poisoned });

    expect(await run(dueAt)).toEqual({ recorded: 2, failed: 1 });
    const line = { level: 'ERROR', message: 'reconcileFailed', upload_id: id(1) };
    expect(lines).toContainEqual(expect.objectContaining(line));
    expect(values).toContainEqual({ ReconciliationsFailed: 1 });
    expect(await run('2026-01-31T10:09:59.999Z')).toEqual({});

    Object.assign(store.tables, { readUpload });
    expect(await run('2026-01-31T10:10:00.000Z')).toEqual({ recorded: 1 });
  });

  test('reports an upload on which it fails, also if it cannot postpone it', async () => {
    const { store, run, lines } = startStored(1);
    const rejected = () => Promise.reject(new Error('busy'));
    Object.assign(store.tables, { readUpload: rejected, postpone: rejected });

    expect(await run(dueAt)).toEqual({ failed: 1 });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', upload_id: id(1) }));
  });

  test('logs no failure of an upload that another run completes', async () => {
    const { store, run, lines } = startStored(1);
    const { readUpload } = store.tables;
    const lateResponse = async () => {
      Object.assign(store.tables, { readUpload });
      await run(dueAt);
      throw new Error('no response in time');
    };
    Object.assign(store.tables, { readUpload: lateResponse });

    expect(await run(dueAt)).toEqual({ unchanged: 1 });
    expect(lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('shares the work with another run that begins at another upload', async () => {
    const { store, run } = startHistory(40);
    const hasTime = () => true;

    const runs = [0, 0.5].map((random) => run(dueAt, hasTime, () => random));

    const half = { expired: 20, unchanged: 20 };
    expect(await Promise.all(runs)).toEqual([half, half]);
    expect(store.announced).toHaveLength(40);
  });

  test('measures the age of the oldest upload that it does not reach', async () => {
    const { store, run, values } = startHistory(2);
    store.change(id(2), { due_shard: '7', due_at: '2026-01-31T09:00:00.000Z' });

    await run('2026-01-31T10:00:00.000Z', () => false);
    await run('2026-01-31T10:00:00.000Z');

    const expired = { UploadsExpired: 1 };
    expect(values).toEqual([{ DueUploadsAge: 3600 }, expired, expired]);
  });

  test('checks unannounced uploads before content to delete', async () => {
    const { store, run } = startHistory(2);
    store.change(id(1), { due_shard: 'deletion-1', due_at: '2026-01-31T09:00:00.000Z' });
    let left = 1;

    await run('2026-01-31T10:00:00.000Z', () => --left >= 0);

    expect(store.kinds()).toEqual([`expired ${id(2)}`]);
  });

  test('ends when its time is over, oldest first, and the next one goes on', async () => {
    const { store, upload, run, values } = startStored(11);
    const order = [11, 3, 1, 5, 2, 6, 7, 8, 9, 10, 4];
    order.forEach((number, place) => {
      store.change(id(number), { due_at: `2026-01-31T09:${place + 10}:00.000Z` });
    });
    let left = 1;
    const noon = '2026-01-31T12:00:00.000Z';

    expect(await run(noon, () => --left >= 0)).toEqual({ recorded: 10, unfinished: true });
    expect(values).toContainEqual({ DueUploadsAge: 9600 });
    expect(order.filter((number) => upload(number).state === 'issued')).toEqual([4]);
    expect(await run(noon)).toEqual({ recorded: 1 });
  });
});
