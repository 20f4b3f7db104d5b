import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import type { Content } from '../../../storage/file.ts';
import type { Upload } from '../../../storage/upload.ts';
import { id, objectOf } from '../shared/recording/fake-store.ts';
import { dueAt, type History, lastLookAt, startHistory } from './history.ts';

/** More for a long run: `HISTORIES=20000 npx vitest run test/lambdas/reconcile-uploads/any-order --testTimeout 3600000`. */
const numRuns = Number(process.env.HISTORIES ?? 500);

const numbers = [1, 2, 3, 4, 5];

/** What happens; plain data, so that a history that fails can be read. */
type Action =
  /** A PUT to an upload URL ends. S3 takes it unless something is there. */
  | { readonly put: number }
  /** A second PUT, which S3 should never accept. */
  | { readonly putAgain: number }
  /** An operator cancels an upload. The command may end before it marks the upload. */
  | { readonly cancel: number; readonly marks: boolean }
  /** An event comes, perhaps not for the first time. Which one: the place in the order of storing. */
  | { readonly event: number }
  /** An operator deletes the file. The index does not show this upload, if it is just issued. */
  | { readonly deleteUnseen: number }
  | 'reconcile';

interface Plan {
  /** The steps of a wave happen at the same time. */
  readonly waves: readonly (readonly Action[])[];
  /** At these calls of a table, a bucket or a bus, the process dies. */
  readonly crashes: readonly number[];
}

async function live({ waves, crashes }: Plan) {
  const history = startHistory(numbers.length);
  const { store, objects, put, deliver } = history;
  const events: CreatedObject[] = [];
  const culprits: string[] = [];
  /** Uploads that got content or were cancelled. */
  const ended = new Set<string>();
  let [calls, runs] = [0, 0];
  store.crashPoint = () => {
    culprits.push(...culpritsOf(history));
    calls += 1;
    if (crashes.includes(calls)) {
      throw new Error('crash');
    }
  };
  const store1 = (object: CreatedObject, tombstone?: string) => {
    put(object, tombstone);
    events.push(object);
    ended.add(object.key);
  };
  const acts = {
    put: (number: number) => !objects.has(objectOf(number).key) && store1(objectOf(number)),
    putAgain: (number: number) =>
      objects.get(objectOf(number).key)?.versionId === objectOf(number).versionId &&
      store1(objectOf(number, { versionId: `second-${number}`, size: 99 })),
    cancel: (number: number, marks: boolean) => {
      const { key } = objectOf(number);
      if (isLeft(history) && !objects.has(key) && store.upload(id(number)).state === 'issued') {
        store1(objectOf(number, { versionId: `tombstone-${number}`, size: 0 }), 'cancelled');
        if (marks) {
          store.change(id(number), { state: 'cancelled', cancelled_at: '2026-01-31T08:40:00.000Z' });
        }
      }
    },
  };
  const act = async (action: Action): Promise<unknown> => {
    if (action === 'reconcile') {
      return history.run(runAt(runs++));
    }
    if ('event' in action) {
      const event = events[action.event % Math.max(1, events.length)];
      return event && deliver(event);
    }
    if ('deleteUnseen' in action) {
      return deleteFile(history, action.deleteUnseen);
    }
    if (runs > 2) {
      // A day later no PUT is under way. Events may still come, out of the dead-letter queue too.
      return undefined;
    }
    if ('cancel' in action) {
      return acts.cancel(action.cancel, action.marks);
    }
    return 'put' in action ? acts.put(action.put) : acts.putAgain(action.putAgain);
  };
  for (const wave of waves) {
    // A process that dies is not started again here: the reconciliation must do the rest.
    await Promise.allSettled(wave.map(act));
  }
  store.crashPoint = () => {
    culprits.push(...culpritsOf(history));
  };
  if (isLeft(history)) {
    removeSecondVersion(history);
  }
  // What failed is looked at again in an hour, and what was replaced is deleted a day after its URL expired.
  for (const more of [0, 2, 3, 4, 5]) {
    const at = runAt(more === 0 ? Math.min(runs, 1) : runs + more);
    await history.run(at);
  }
  expect(culprits).toEqual([]);
  return { ...history, ended };
}

const culpritsOf = (history: History) =>
  isLeft(history) ? [...completedTooEarly(history), ...contentDeleted(history)] : [];

const isLeft = ({ store }: History) => store.files.get('orders.csv')?.deleted_at === undefined;

/** Deletes the file, as the command does (tools/operator/files/delete.ts). */
function deleteFile({ store, objects, put }: History, unseen: number): void {
  const ends = { deleted_at: '2026-01-31T08:50:00.000Z', delete_after: '2026-03-02T08:50:00.000Z' };
  store.files.set('orders.csv', { ...store.files.get('orders.csv'), ...ends });
  for (const number of numbers) {
    const { state, expired_at, due_at, superseded_at = dueAt } = store.upload(id(number));
    const object = objects.get(objectOf(number).key);
    const isUnused = state === 'issued' && object === undefined;
    if (isUnused && number === unseen && expired_at === undefined) {
      continue;
    }
    if (isUnused && due_at !== undefined) {
      put(objectOf(number, { versionId: `tombstone-${number}`, size: 0 }), 'cancelled');
      store.change(id(number), { state: 'cancelled', cancelled_at: dueAt });
    } else if (object !== undefined && object.size > 0) {
      put(objectOf(number, { versionId: `deleted-${number}`, size: 0 }), 'superseded');
    }
    store.change(id(number), { superseded_at, ...ends });
  }
}

/** The first two looks are at uploads whose URLs have just expired, and the others a day later and more. */
const runAt = (run: number) => (run < 2 ? hoursAfter(dueAt, run) : hoursAfter(lastLookAt, run - 2));

const hoursAfter = (time: string, hours: number) =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString();

/** People remove the second version of the content, as the alarm asks them to. */
function removeSecondVersion({ store, objects }: History): void {
  const version = store.files.get('orders.csv')?.content?.version_id;
  const first = numbers.map((number) => objectOf(number)).find(({ versionId }) => versionId === version);
  if (first !== undefined) {
    objects.set(first.key, first);
  }
}

/** What the file and the record of its upload both say of the content. */
const factsOf = ({ version_id, size, etag, completed_at }: Content) => ({
  version_id,
  size,
  etag,
  completed_at,
});

/** Whether a PUT after the first one may have been accepted. */
function storedTwice({ waves }: Plan, number: number): boolean {
  return waves.flat().some((it) => typeof it === 'object' && 'putAgain' in it && it.putAgain === number);
}

/** The versions that events named as the content of an upload. */
function versionsAnnounced({ announced }: History['store'], number: number): Set<string> {
  const events = announced.filter(({ upload }) => upload.upload_id === id(number));
  return new Set(events.flatMap((event) => (event.kind === 'completed' ? [event.content.version_id] : [])));
}

/** Uploads that are completed although no event said so, or the file has neither their content nor later content. */
function completedTooEarly({ store }: History): string[] {
  const announced = new Set(store.kinds());
  const content = store.files.get('orders.csv')?.content?.upload_id ?? '';
  const completed = numbers.map(id).filter((it) => store.upload(it).state === 'completed');
  return completed.filter((it) => it > content || !announced.has(`completed ${it}`));
}

/** The content of the file, if it was deleted from S3. */
function contentDeleted({ store, objects }: History): string[] {
  const key = store.files.get('orders.csv')?.content?.key;
  return key === undefined || objects.has(key) ? [] : [key];
}

const ordinary = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.constantFrom(...numbers) }) },
  { weight: 1, arbitrary: fc.record({ cancel: fc.constantFrom(...numbers), marks: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ event: fc.nat({ max: 11 }) }) },
  { weight: 2, arbitrary: fc.constant<Action>('reconcile') },
);
const second = fc.record({ putAgain: fc.constantFrom(...numbers) });
const deletion = fc.record({ deleteUnseen: fc.constantFrom(...numbers) });

/** @param other one of 16 actions */
const planWith = (other: fc.Arbitrary<Action>): fc.Arbitrary<Plan> => {
  const action = fc.oneof({ weight: 15, arbitrary: ordinary }, { weight: 1, arbitrary: other });
  return fc.record({
    waves: fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 15 }),
    crashes: fc.array(fc.nat({ max: 120 }), { maxLength: 6 }),
  });
};

test('uploads end the same, whatever is stored, cancelled, lost, repeated, late, at the same time, or dies', async () => {
  await fc.assert(
    fc.asyncProperty(planWith(second), async (one) => {
      const { store, objects, ended } = await live(one);
      const stored = numbers.filter((number) => store.upload(id(number)).state === 'completed');
      const newest = stored.at(-1);
      const content = store.files.get('orders.csv')?.content;
      expect(content?.upload_id).toBe(newest && id(newest));
      expect(newest && store.upload(id(newest))).toEqual(
        content && expect.objectContaining(factsOf(content)),
      );
      for (const number of numbers) {
        const upload = store.upload(id(number));
        const { key } = objectOf(number);
        const kinds = store.kinds().filter((kind) => kind.endsWith(id(number)));
        // Every end is announced, and nothing after it.
        const last = upload.state === 'issued' ? 'expired' : upload.state;
        expect([number, upload.state, kinds.at(-1)]).toEqual([number, upload.state, `${last} ${id(number)}`]);
        expect(kinds.lastIndexOf(`expired ${id(number)}`)).toBeLessThanOrEqual(
          last === 'expired' ? kinds.length : kinds.indexOf(`${last} ${id(number)}`),
        );
        expect(upload.state !== 'issued').toBe(ended.has(key));
        expect(upload).not.toHaveProperty('due_at');
        if (upload.state === 'completed' && !storedTwice(one, number)) {
          expect([...versionsAnnounced(store, number)]).toEqual([upload.version_id]);
        }
        if (upload.state === 'completed') {
          expect(upload.superseded_at !== undefined).toBe(number !== newest);
          expect(objects.has(key)).toBe(number === newest);
        }
      }
    }),
    { numRuns },
  );
});

test('the records of a deleted file end, and its content is not kept', async () => {
  await fc.assert(
    fc.asyncProperty(planWith(deletion), async (one) => {
      const history = await live(one);
      fc.pre(!isLeft(history));
      const records = numbers.map((number) => history.store.upload(id(number)));
      const isLate = ({ delete_after, due_at }: Upload) => delete_after === undefined || due_at !== undefined;
      expect(records.filter(isLate)).toEqual([]);
      expect([...history.objects.values()].filter(({ size }) => size > 0)).toEqual([]);
    }),
    { numRuns },
  );
});
