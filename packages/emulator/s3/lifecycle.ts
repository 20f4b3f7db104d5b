import { setImmediate as nextTurn } from 'node:timers/promises';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectVersion } from './object-version.ts';
import { bucketType, type LifecycleRule } from './resource-types.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Reads the lifecycle rules of the template's buckets (S3, "Lifecycle configuration elements").
 *
 * @returns a function that applies the rules once, as of a time. Between two keys, other requests get their turn
 */
export function createLifecycle(
  buckets: ReadonlyMap<string, ObjectStore>,
  resources: readonly Resource[],
): (now: Date, signal?: AbortSignal) => Promise<void> {
  const rulesByBucket = collectRules(resources);
  return async (now, signal) => {
    for (const [bucket, rules] of rulesByBucket) {
      const store = buckets.get(bucket);
      if (store !== undefined && rules.length > 0) {
        for (const key of await store.keys()) {
          await applyRules(store, key, rules, now);
          await nextTurn(undefined, { signal });
        }
      }
    }
  };
}

async function applyRules(
  store: ObjectStore,
  key: string,
  rules: readonly LifecycleRule[],
  now: Date,
): Promise<void> {
  const [newest, ...older] = await store.versions(key);
  if (newest === undefined) {
    return;
  }
  let next = newest;
  let left = 0;
  for (const version of older) {
    if (isOver(next.lastModified, daysOf(rules, version, noncurrentDays), now)) {
      await store.removeVersion(version);
    } else {
      left += 1;
    }
    next = version;
  }
  if (newest.deleteMarker) {
    const removes = rulesFor(rules, newest).some((rule) => rule.ExpiredObjectDeleteMarker);
    if (left === 0 && removes) {
      await store.removeVersion(newest);
    }
  } else if (isOver(newest.lastModified, daysOf(rules, newest, expirationDays), now)) {
    await store.putDeleteMarker(key);
  }
}

/** Returns the rules for versions with these tags. */
function rulesFor(rules: readonly LifecycleRule[], { tags }: ObjectVersion): readonly LifecycleRule[] {
  return rules.filter(({ TagFilters = [] }) => TagFilters.every(({ Key, Value }) => tags[Key] === Value));
}

/** Returns the shortest time of all rules for the version; undefined without a rule. */
function daysOf(
  rules: readonly LifecycleRule[],
  version: ObjectVersion,
  daysIn: (rule: LifecycleRule) => number | undefined,
): number | undefined {
  const days = rulesFor(rules, version).flatMap((rule) => daysIn(rule) ?? []);
  return days.length === 0 ? undefined : Math.min(...days);
}

/** Days from the creation of the newest version until a delete marker hides that version. */
const expirationDays = (rule: LifecycleRule) => rule.ExpirationInDays;

/** Days from the creation of a newer version until the older version is removed. */
const noncurrentDays = (rule: LifecycleRule) => rule.NoncurrentVersionExpiration?.NoncurrentDays;

function isOver(since: number, days: number | undefined, now: Date): boolean {
  return days !== undefined && since < now.getTime() - days * dayMilliseconds;
}

function collectRules(resources: readonly Resource[]): Map<string, LifecycleRule[]> {
  return new Map(
    ofType(resources, bucketType).map(({ ref, properties }) => {
      const rules = properties.LifecycleConfiguration?.Rules ?? [];
      return [ref, rules.filter(({ Status }) => Status === 'Enabled')];
    }),
  );
}
