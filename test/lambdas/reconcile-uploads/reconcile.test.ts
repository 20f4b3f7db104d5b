import { describe, expect, test } from 'vitest';
import { dyingAt, id, objectOf } from '../shared/recording/fake-store.ts';
import { dueAt, type History, lastLookAt, startHistory } from './history.ts';

const nothing = { recorded: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0, unfinished: false };

/** What a line says of the first upload. */
const ids = { upload_id: id(1), file_id: 'orders.csv', client_id: 'client', organisation_id: 'acme' };

describe('an upload that was stored, and whose event never came', () => {
  test('is recorded as its event would have recorded it, announced and counted', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
    const byEvent = startHistory(1);
    // Only an event tells the sender.
    await byEvent.deliver(objectOf(1, { sourceIp: undefined }));
    expect(history.store.uploads).toEqual(byEvent.store.uploads);
    expect(history.store.files).toEqual(byEvent.store.files);
    expect(history.store.announced).toEqual(byEvent.store.announced);
    expect(history.values).toContainEqual({ UploadsReconciled: 1 });
    const line = { level: 'WARN', message: 'uploadReconciled', ...ids, state_before: 'issued' };
    expect(history.lines.filter(({ level }) => level === 'WARN')).toEqual([line]);
  });

  test('is left alone until it is due, and after it was completed', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    expect(await history.run('2026-01-31T09:09:59.999Z')).toEqual(nothing);
    expect(history.store.upload(id(1)).state).toBe('issued');
    await history.deliver(objectOf(1));
    expect(await history.run(lastLookAt)).toEqual(nothing);
    expect(history.store.kinds()).toEqual([`completed ${id(1)}`]);
  });

  test('of a file that is deleted is discarded, and not announced', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    history.store.files.set('orders.csv', { deleted_at: dueAt });
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
    expect(history.store.kinds()).toEqual([]);
    expect(history.store.upload(id(1))).toMatchObject({ state: 'completed', due_at: lastLookAt });
    expect(await history.run(lastLookAt)).toEqual({ ...nothing, deleted: 1 });
    expect(history.objects.size).toBe(0);
  });

  test('under the tombstone of its deleted file is done, and not announced', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    history.put(objectOf(1, { size: 0, versionId: 'tombstone' }), 'superseded');
    expect(await history.run(dueAt)).toEqual({ ...nothing, done: 1 });
    expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    expect(history.store.kinds()).toEqual([]);
    expect(history.lines).toContainEqual({ level: 'INFO', message: 'uploadDiscarded', ...ids });
  });

  test('twice is recorded as S3 has it now', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    history.put(objectOf(1, { versionId: 'second' }));
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
    expect(history.store.announced).toMatchObject([{ content: { version_id: 'second' } }]);
  });

  test('twice keeps the version that the file has, and waits until people remove the other', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    // The function stops after the file got the first version, and the event does not come again.
    const crash = { announce: () => Promise.reject(new Error('crash')) };
    await expect(history.deliver(objectOf(1), crash)).rejects.toThrow('crash');
    history.put(objectOf(1, { versionId: 'second' }));
    expect(await history.run(dueAt)).toEqual({ ...nothing, unchanged: 1 });
    expect(history.values).toEqual([{ SecondVersions: 1 }]);
    history.objects.set(objectOf(1).key, objectOf(1));
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
    expect(history.store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
    expect(history.store.kinds()).toEqual([`completed ${id(1)}`]);
  });
});

describe('content that was replaced', () => {
  /** Two uploads of a file, the second of which replaced the first. */
  async function replaced() {
    const history = startHistory(2);
    for (const number of [1, 2]) {
      history.put(objectOf(number));
      await history.deliver(objectOf(number));
    }
    return history;
  }
  const [first, second] = [objectOf(1).key, objectOf(2).key];

  test('is deleted a day after its URL has expired, and not before: then no PUT to it is under way', async () => {
    const history = await replaced();
    expect(await history.run('2026-02-01T09:09:59.999Z')).toEqual(nothing);
    expect([...history.objects.keys()]).toEqual([first, second]);
    expect(await history.run(lastLookAt)).toEqual({ ...nothing, deleted: 1 });
    expect([...history.objects.keys()]).toEqual([second]);
    expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    expect(history.lines).toContainEqual({ level: 'INFO', message: 'contentDeleted', ...ids });
    expect(await history.run('2026-03-01T00:00:00.000Z')).toEqual(nothing);
  });

  test('is not deleted before the file points at what replaces it, however late that is', async () => {
    const history = startHistory(2);
    history.put(objectOf(1));
    await history.deliver(objectOf(1));
    // Recording the second upload stopped after this step.
    await history.store.tables.markSuperseded(id(1), dueAt);
    history.store.change(id(2), { due_at: '2026-03-01T00:00:00.000Z' });
    expect(await history.run(lastLookAt)).toEqual({ ...nothing, unchanged: 1 });
    expect(history.objects.has(first)).toBe(true);
    history.put(objectOf(2));
    await history.deliver(objectOf(2));
    expect(await history.run('2026-02-01T10:10:00.000Z')).toEqual({ ...nothing, deleted: 1 });
    expect([...history.objects.keys()]).toEqual([second]);
  });

  test('is deleted with its file too, though that still names it, or is gone itself', async () => {
    for (const isGone of [false, true]) {
      const history = startHistory(1);
      history.put(objectOf(1));
      await history.deliver(objectOf(1));
      await history.store.tables.markSuperseded(id(1), dueAt);
      history.store.files.set('orders.csv', { ...history.store.files.get('orders.csv'), deleted_at: dueAt });
      if (isGone) {
        history.store.files.clear();
      }
      expect(await history.run(lastLookAt)).toEqual({ ...nothing, deleted: 1 });
      expect(history.objects.size).toBe(0);
    }
  });

  test('is deleted after a crash at each step', async () => {
    for (let step = 0, crashed = true; crashed; step += 1) {
      const history = await replaced();
      crashed = await dyingAt(step, history.store, () => history.run(lastLookAt));
      await history.run('2026-02-01T10:10:00.000Z');
      expect([...history.objects.keys()]).toEqual([second]);
      expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    }
  });

  test('and whose upload an older version completed in two steps: the second is made', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    await history.deliver(objectOf(1));
    history.store.change(id(1), { due_shard: '1', due_at: dueAt, announced: true });
    expect(await history.run(dueAt)).toEqual({ ...nothing, done: 1 });
    expect(history.objects.has(first)).toBe(true);
    expect(history.store.kinds()).toEqual([`completed ${id(1)}`]);
  });
});

describe('a cancelled upload', () => {
  const tombstone = objectOf(1, { size: 0, versionId: 'tombstone' });
  const cancelledAt = '2026-01-31T08:40:00.000Z';

  test('whose cancelling was cut short is cancelled and announced', async () => {
    const history = startHistory(1);
    history.put(tombstone, 'cancelled');
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
    expect(history.store.upload(id(1))).toMatchObject({ state: 'cancelled', cancelled_at: dueAt });
    expect(history.store.announced).toMatchObject([{ kind: 'cancelled', at: dueAt }]);
    expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
  });

  test('whose event was lost is announced with its own time, whether its tombstone is there or not', async () => {
    for (const isThere of [true, false]) {
      const history = startHistory(1);
      history.store.change(id(1), { state: 'cancelled', cancelled_at: cancelledAt });
      if (isThere) {
        history.put(tombstone, 'cancelled');
      }
      expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 1 });
      expect(history.store.announced).toMatchObject([{ kind: 'cancelled', at: cancelledAt }]);
      expect(history.store.upload(id(1))).toMatchObject({ cancelled_at: cancelledAt });
      expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    }
  });
});

describe('an upload URL that nobody used', () => {
  test('is found unused once, and looked at once more a day after it expired', async () => {
    const history = startHistory(1);
    expect(await history.run(dueAt)).toEqual({ ...nothing, expired: 1 });
    expect(history.store.upload(id(1))).toMatchObject({
      state: 'issued',
      expired_at: dueAt,
      due_at: lastLookAt,
    });
    expect(history.lines).toContainEqual({ level: 'INFO', message: 'uploadExpired', ...ids });
    expect(await history.run('2026-02-01T09:09:59.999Z')).toEqual(nothing);
    expect(await history.run(lastLookAt)).toEqual({ ...nothing, done: 1 });
    expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    expect(history.store.kinds()).toEqual([`expired ${id(1)}`]);
    expect(history.values).toEqual([{ UploadsExpired: 1 }]);
  });

  test('is looked at once, when that is late enough to be the last time', async () => {
    const history = startHistory(1);
    expect(await history.run(lastLookAt)).toEqual({ ...nothing, expired: 1 });
    expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    expect(history.store.kinds()).toEqual([`expired ${id(1)}`]);
  });

  test('is completed by a PUT that ends after that, by its event or by the last look', async () => {
    for (const byEvent of [true, false]) {
      const history = startHistory(1);
      await history.run(dueAt);
      history.put(objectOf(1));
      if (byEvent) {
        await history.deliver(objectOf(1));
      }
      expect(await history.run(lastLookAt)).toEqual(byEvent ? nothing : { ...nothing, recorded: 1 });
      expect(history.store.upload(id(1))).toMatchObject({ state: 'completed', expired_at: dueAt });
      expect(history.store.kinds()).toEqual([`expired ${id(1)}`, `completed ${id(1)}`]);
      expect(history.store.upload(id(1))).not.toHaveProperty('due_at');
    }
  });
});

describe('a run', () => {
  test('leaves alone what was recorded, looked at, postponed or removed since the index showed it', async () => {
    const history = startHistory(3);
    history.put(objectOf(1));
    await history.deliver(objectOf(1));
    history.store.change(id(3), { due_at: lastLookAt });
    await history.run(dueAt);
    const before = structuredClone([...history.store.uploads]);
    history.store.writes.length = 0;
    for (const number of [1, 2, 3, 4]) {
      const found = { upload_id: id(number), due_at: dueAt };
      expect(await history.reconcile(found, lastLookAt)).toBe('unchanged');
    }
    expect(history.store.writes).toEqual([]);
    expect([...history.store.uploads]).toEqual(before);
  });

  test('reports nothing of an upload that another run has just done', async () => {
    const prepared: Readonly<Record<string, (history: History) => unknown>> = {
      unused: () => undefined,
      gone: ({ put }) => put(objectOf(1, { size: 0, versionId: 'tombstone' }), 'superseded'),
      completed: async ({ store, deliver }) => {
        await deliver(objectOf(1));
        store.change(id(1), { due_shard: '1', due_at: dueAt });
      },
      replaced: async ({ store, deliver }) => {
        await deliver(objectOf(1));
        store.change(id(1), { due_shard: '1', due_at: dueAt, superseded_at: dueAt });
        store.files.clear();
      },
    };
    for (const [state, prepare] of Object.entries(prepared)) {
      const history = startHistory(1);
      await prepare(history);
      const refused = async () => false;
      Object.assign(history.due, {
        expire: refused,
        endUnused: refused,
        endCompleted: refused,
        endReplaced: refused,
      });
      history.lines.length = 0;
      expect(await history.run(dueAt), state).toEqual({ ...nothing, unchanged: 1 });
      const messages = history.lines.map(({ message }) => message);
      expect(messages.filter((message) => message !== 'tombstoneSeen')).toEqual(['reconciliationDone']);
    }
  });

  test('does the others when one fails, says so, and tries that one again in an hour', async () => {
    const history = startHistory(3);
    for (const number of [1, 2, 3]) {
      history.put(objectOf(number));
    }
    const { tables } = history.store;
    const { readUpload } = tables;
    const poisoned: typeof readUpload = (uploadId) =>
      uploadId === id(1) ? Promise.reject(new Error('poison')) : readUpload(uploadId);
    Object.assign(tables, { readUpload: poisoned });
    expect(await history.run(dueAt)).toEqual({ ...nothing, recorded: 2, failed: 1 });
    expect(history.lines).toContainEqual(
      expect.objectContaining({ level: 'ERROR', message: 'reconcileFailed', upload_id: id(1) }),
    );
    expect(history.values).toContainEqual({ ReconciliationsFailed: 1 });
    expect(await history.run('2026-01-31T10:09:59.999Z')).toEqual(nothing);
    Object.assign(tables, { readUpload });
    expect(await history.run('2026-01-31T10:10:00.000Z')).toEqual({ ...nothing, recorded: 1 });
    expect(history.store.upload(id(1)).state).toBe('completed');
  });

  test('says nothing of an upload on which it fails while another run does it', async () => {
    const history = startHistory(1);
    history.put(objectOf(1));
    const { tables } = history.store;
    const { readUpload } = tables;
    const lateAnswer = async () => {
      Object.assign(tables, { readUpload });
      await history.run(dueAt);
      throw new Error('no answer in time');
    };
    Object.assign(tables, { readUpload: lateAnswer });
    expect(await history.run(dueAt)).toEqual({ ...nothing, unchanged: 1 });
    expect(history.store.upload(id(1)).state).toBe('completed');
    expect(history.lines.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  test('shares the work with another run that begins at another upload', async () => {
    const history = startHistory(40);
    const runs = [0, 0.5].map((random) =>
      history.run(
        dueAt,
        () => true,
        () => random,
      ),
    );
    const half = { ...nothing, expired: 20, unchanged: 20 };
    expect(await Promise.all(runs)).toEqual([half, half]);
    expect(history.store.announced).toHaveLength(40);
  });

  test('gives the age of the oldest upload that it leaves, and no age when it leaves none', async () => {
    const history = startHistory(2);
    history.store.change(id(2), { due_shard: '7', due_at: '2026-01-31T09:00:00.000Z' });
    await history.run('2026-01-31T10:00:00.000Z', () => false);
    await history.run('2026-01-31T10:00:00.000Z');
    const expired = { UploadsExpired: 1 };
    expect(history.values).toEqual([{ DueUploadsAge: 3600 }, expired, expired]);
  });

  test('looks at what is not announced before content to delete', async () => {
    const history = startHistory(2);
    history.store.change(id(1), { due_shard: 'deletion-1', due_at: '2026-01-31T09:00:00.000Z' });
    let left = 1;
    await history.run('2026-01-31T10:00:00.000Z', () => --left >= 0);
    expect(history.store.announced.map(({ upload }) => upload.upload_id)).toEqual([id(2)]);
  });

  test('ends when its time is over, oldest first, and the next one goes on', async () => {
    const history = startHistory(11);
    const order = [11, 3, 1, 5, 2, 6, 7, 8, 9, 10, 4];
    order.forEach((number, place) => {
      history.store.change(id(number), { due_at: `2026-01-31T09:${place + 10}:00.000Z` });
      history.put(objectOf(number));
    });
    let left = 1;
    const hasTime = () => --left >= 0;
    const noon = '2026-01-31T12:00:00.000Z';
    expect(await history.run(noon, hasTime)).toEqual({ ...nothing, recorded: 10, unfinished: true });
    const isIssued = (number: number) => history.store.upload(id(number)).state === 'issued';
    expect(order.filter(isIssued)).toEqual([4]);
    expect(await history.run(noon)).toEqual({ ...nothing, recorded: 1 });
    expect(await history.run(noon)).toEqual(nothing);
  });
});
