import { describe, expect, test } from 'vitest';
import { id, objectOf } from '../shared/recording/fake-store.ts';
import { startHistory } from './history.ts';

/** URLs are issued at 08:00, and objects are stored at 08:30. Nothing is due before 09:10. */
const [early, late] = ['2026-01-31T08:31:59.999Z', '2026-01-31T08:32:00.000Z'];

function stored(uploads: number) {
  const history = startHistory(uploads);
  for (let number = 1; number <= uploads; number += 1) {
    history.put(objectOf(number));
  }
  return history;
}

/** Issues upload URLs of the file at this minute after eight, in this partition. */
function issueAt(minute: number, shard: number, uploads: number, { store }: ReturnType<typeof startHistory>) {
  const issuedAt = Date.parse('2026-01-31T08:00:00.000Z') + minute * 60_000;
  const time = issuedAt.toString(16).padStart(12, '0');
  for (let number = 0; number < uploads; number += 1) {
    const digits = String(number).padStart(3, '0');
    const uploadId = `${time.slice(0, 8)}-${time.slice(8)}-7${digits}-8f43-5e0d1c2b3a4${shard}`;
    store.issue(uploadId, 'orders.csv');
    const due_at = new Date(issuedAt + 70 * 60_000).toISOString();
    store.change(uploadId, { due_shard: String(shard), due_at });
  }
}

describe('a stored upload without an event, before it is due', () => {
  test('is recorded as its event would have recorded it, after two minutes', async () => {
    const { store, run, values, lines } = stored(1);
    const byEvent = startHistory(1);
    await byEvent.deliver(objectOf(1, { sourceIp: undefined }), { now: () => new Date(late) });

    expect(await run(early)).toEqual({});
    expect(await run(late)).toEqual({ missing: 1 });

    expect(store.uploads).toEqual(byEvent.store.uploads);
    expect(store.announced).toEqual(byEvent.store.announced);
    expect(values).toEqual([{ UploadsCompleted: 1, UploadBytes: 1 }, { UploadEventsMissing: 1 }]);
    expect(lines).toContainEqual(expect.objectContaining({ message: 'eventMissing', upload_id: id(1) }));
  });

  test('makes the run record all others', async () => {
    const { store, run } = stored(250);
    expect(await run(late)).toEqual({ missing: 250 });
    expect(new Set(store.kinds()).size).toBe(250);
  });

  test('is found behind newer URLs that nobody uses', async () => {
    const history = stored(1);
    issueAt(20, 1, 30, history);
    const runAt = (random: number) => history.run(late, undefined, () => random);
    // By the time of issue, the random place is at 07:29 and at 08:05.
    expect([await runAt(0.1), await runAt(0.65), await runAt(0.65)]).toEqual([{}, { missing: 1 }, {}]);
  });

  test('is recorded by the next run, if a step fails', async () => {
    const { store, run } = stored(1);
    const { readUpload } = store.tables;
    Object.assign(store.tables, { readUpload: () => Promise.reject(new Error('busy')) });
    expect(await run(late)).toEqual({ failed: 1 });
    Object.assign(store.tables, { readUpload });
    expect(await run(late)).toEqual({ missing: 1 });
  });

  test('is announced with its own time, if it was cancelled', async () => {
    const { store, put, run } = startHistory(1);
    put(objectOf(1, { size: 0, versionId: 'tombstone' }), 'cancelled');
    const cancelled_at = '2026-01-31T08:30:00.000Z';
    store.change(id(1), { state: 'cancelled', cancelled_at });
    expect(await run(late)).toEqual({ missing: 1 });
    expect(store.announced).toMatchObject([{ kind: 'cancelled', at: cancelled_at }]);
  });
});

describe('a run', () => {
  test('changes nothing of a URL that nobody has used yet', async () => {
    const { store, run } = startHistory(3);
    expect(await run(late)).toEqual({});
    expect(store.writes).toEqual([]);
  });

  test('reads at most 32 objects while no event is missing', async () => {
    const history = startHistory(0);
    const keys: string[] = [];
    Object.assign(history.inBucket, { find: async (key: string) => void keys.push(key) });
    for (const place of Array(160).keys()) {
      issueAt(Math.floor(place / 8), place % 8, 10, history);
    }
    await history.run(late, undefined, () => 0.65);
    expect([keys.length, new Set(keys).size]).toEqual([32, 32]);
  });

  test('ends when its time is over, and the next one records the others', async () => {
    const { store, run, values } = stored(150);
    let left = 5;
    const { missing = 0, ...rest } = await run(late, () => --left >= 0);
    expect(rest).toEqual({ unfinished: true });
    expect(missing).toBeLessThan(60);
    expect(Object.assign({}, ...values)).not.toHaveProperty('DueUploadsAge');
    expect(await run(late)).toEqual({ missing: 150 - Number(missing) });
    expect(store.announced).toHaveLength(150);
  });
});
