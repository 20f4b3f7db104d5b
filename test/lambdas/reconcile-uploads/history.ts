import type { DueObjects } from '../../../lambdas/reconcile-uploads/bucket.ts';
import type { DueUpload, DueUploads } from '../../../lambdas/reconcile-uploads/due-uploads.ts';
import type { ExpectedDependencies } from '../../../lambdas/reconcile-uploads/expected-files.ts';
import { reconcile } from '../../../lambdas/reconcile-uploads/reconcile.ts';
import { reconcileUpload } from '../../../lambdas/reconcile-uploads/reconcile-upload.ts';
import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import type { RecordDependencies } from '../../../lambdas/shared/recording/record-object.ts';
import type { Upload } from '../../../storage/upload.ts';
import { isBeforeFirstCheck, type RecordEnd } from '../../../storage/upload-due.ts';
import { type FakeStore, id, notDue, objectOf, recordingOf } from '../shared/recording/fake-store.ts';

/** Time at which the uploads of {@link FakeStore} become due, and time of their last check. */
export const dueAt = '2026-01-31T09:10:00.000Z';
export const lastCheckAt = '2026-02-01T09:10:00.000Z';

/** Uploads of one file, their events, and the reconciliation, in memory. */
export function startHistory(uploads: number) {
  const { store, dependencies, record, lines, values } = recordingOf(uploads);
  /** Current version of each object. */
  const objects = new Map<string, CreatedObject>();
  /** Adds a version of an object to S3 as the newest one. */
  const put = (object: CreatedObject, tombstone?: string) => {
    objects.set(object.key, object);
    if (tombstone !== undefined) {
      store.tagsByVersion.set(object.versionId, tombstone);
    }
  };
  const inBucket: DueObjects = {
    find: async (key) => {
      const object = objects.get(key);
      // Only an event contains the sender.
      return object && { ...object, sourceIp: undefined };
    },
    deleteObject: async (key) => {
      store.crashPoint();
      objects.delete(key);
      store.crashPoint();
    },
  };
  const due = dueIn(store);
  const expected: ExpectedDependencies['expected'] = {
    list: async () => [],
    find: async () => undefined,
    update: async () => false,
  };
  const sendEvent = async () => undefined;
  const reading = { ...dependencies, due, objects: inBucket, expected, sendEvent };
  return {
    store,
    objects,
    /** The index. A test replaces its methods. */
    due,
    lines,
    values,
    inBucket,
    put,
    upload: (number: number) => store.upload(id(number)),
    /** Delivers the event of an object. */
    deliver: (object: CreatedObject, others: Partial<RecordDependencies> = {}) =>
      record(object, { now: () => new Date('2026-01-31T08:31:00.000Z'), ...others }),
    /** @returns counts of the run, without zeros */
    run: async (at: string, hasTime = () => true, random = () => 0) => {
      const summary = await reconcile({ ...reading, now: () => new Date(at), hasTime, random });
      return Object.fromEntries(Object.entries(summary).filter(([, count]) => count));
    },
    /** Reconciles one due upload, as a run does. */
    reconcile: (found: DueUpload, at: string) =>
      reconcileUpload(found, { ...reading, now: () => new Date(at) }),
  };
}

export type History = ReturnType<typeof startHistory>;

/** Creates stored uploads, whose events have not come. */
export function startStored(uploads: number): History {
  const history = startHistory(uploads);
  for (let number = 1; number <= uploads; number += 1) {
    history.put(objectOf(number));
  }
  return history;
}

/** Creates the index over the uploads of the store and its writes, with the conditions of the real ones. */
function dueIn(store: FakeStore): { -readonly [Name in keyof DueUploads]: DueUploads[Name] } {
  const change = (
    name: string,
    { upload_id, due_at }: DueUpload,
    state: Upload['state'],
    changes: { readonly due_at?: string | undefined } & RecordEnd,
  ) =>
    store.update(name, upload_id, (upload) => {
      if (upload.due_at !== due_at || upload.state !== state) {
        return undefined;
      }
      const { expired_at, deleted_at, delete_after } = upload;
      const kept = JSON.parse(JSON.stringify({ expired_at, deleted_at, delete_after }));
      return { ...(changes.due_at === undefined ? notDue(upload) : upload), ...changes, ...kept };
    });
  const foundIn = (shard: string, from: string, to: string) =>
    [...store.uploads.values()]
      .flatMap(({ upload_id, due_shard, due_at = '' }) =>
        due_shard === shard && due_at >= from && due_at <= to ? [{ upload_id, due_at }] : [],
      )
      .toSorted((one, other) => one.due_at.localeCompare(other.due_at));
  return {
    list: async function* (shard, now) {
      yield foundIn(shard, '1', now);
    },
    listUnrecorded: async function* (shard, now) {
      const to = new Date(Date.parse(now) + 68 * 60_000).toISOString();
      const unrecorded = foundIn(shard, now, to).filter((found) => isBeforeFirstCheck(found, now));
      yield unrecorded.toReversed();
    },
    expire: (found, expired_at, due_at) => change('expire', found, 'issued', { expired_at, due_at }),
    endUnused: (found, end) => change('endUnused', found, 'issued', end),
    endReplaced: (found, _at, end = {}) => change('endReplaced', found, 'completed', end),
  };
}
