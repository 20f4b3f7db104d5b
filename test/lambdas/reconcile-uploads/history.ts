import type { DueObjects } from '../../../lambdas/reconcile-uploads/bucket.ts';
import { createDueUploads, type DueUpload } from '../../../lambdas/reconcile-uploads/due-uploads.ts';
import { createExpectedFiles } from '../../../lambdas/reconcile-uploads/expected-files.ts';
import { reconcile } from '../../../lambdas/reconcile-uploads/reconcile.ts';
import { reconcileUpload } from '../../../lambdas/reconcile-uploads/reconcile-upload.ts';
import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import type { RecordDependencies } from '../../../lambdas/shared/recording/record-object.ts';
import { objectOf, recordingOf } from '../shared/recording/fake-store.ts';

/** Time at which the uploads of {@link recordingOf} become due, and time of their last check. */
export const dueAt = '2026-01-31T09:10:00.000Z';
export const lastCheckAt = '2026-02-01T09:10:00.000Z';

/** Uploads of one file, their events, and the reconciliation, in memory. */
export function startHistory(uploads: number) {
  const recording = recordingOf(uploads);
  const { store, dependencies, record } = recording;
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
  const due = createDueUploads(store.client, 'uploads');
  const expected = createExpectedFiles(store.client, 'files', async () => undefined);
  const sendEvent = async () => undefined;
  const reading = { ...dependencies, due, objects: inBucket, expected, sendEvent };
  return {
    ...recording,
    objects,
    /** The index. A test replaces its methods. */
    due,
    inBucket,
    put,
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
