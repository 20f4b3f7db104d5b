import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Resource } from '../shared/resource-type.ts';
import { ofType } from '../shared/resource-type.ts';
import type { ObjectStore } from './object-store.ts';
import type { ObjectVersion } from './object-version.ts';
import { bucketType, type LifecycleRule } from './resource-types.ts';

/** What a lifecycle rule does here. The rule is for the versions that have all its tags. */
interface Rule {
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** Days from the creation of the newest version until a delete marker hides that version. */
  readonly expirationDays: number | undefined;
  /** Days from the creation of a newer version until the older version is removed. */
  readonly noncurrentDays: number | undefined;
  /** Whether a delete marker that is the only version is removed. */
  readonly removesMarkers: boolean;
}

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

async function applyRules(store: ObjectStore, key: string, rules: readonly Rule[], now: Date): Promise<void> {
  const [newest, ...older] = await store.versions(key);
  if (newest === undefined) {
    return;
  }
  let next = newest;
  let left = 0;
  for (const version of older) {
    if (isOver(next.lastModified, daysOf(rules, version, 'noncurrentDays'), now)) {
      await store.removeVersion(version);
    } else {
      left += 1;
    }
    next = version;
  }
  if (newest.deleteMarker) {
    const removes = rulesFor(rules, newest).some(({ removesMarkers }) => removesMarkers);
    if (left === 0 && removes) {
      await store.removeVersion(newest);
    }
  } else if (isOver(newest.lastModified, daysOf(rules, newest, 'expirationDays'), now)) {
    await store.putDeleteMarker(key);
  }
}

function rulesFor(rules: readonly Rule[], { tags }: ObjectVersion): readonly Rule[] {
  return rules.filter((rule) => rule.tags.every(({ Key, Value }) => tags[Key] === Value));
}

/** The shortest time that a rule for the version has. */
function daysOf(
  rules: readonly Rule[],
  version: ObjectVersion,
  name: 'expirationDays' | 'noncurrentDays',
): number | undefined {
  const days = rulesFor(rules, version).flatMap((rule) => rule[name] ?? []);
  return days.length === 0 ? undefined : Math.min(...days);
}

function isOver(since: number, days: number | undefined, now: Date): boolean {
  return days !== undefined && since < now.getTime() - days * dayMilliseconds;
}

function collectRules(resources: readonly Resource[]): Map<string, Rule[]> {
  return new Map(
    ofType(resources, bucketType).map(({ ref, properties }) => {
      const rules = properties.LifecycleConfiguration?.Rules ?? [];
      return [ref, rules.filter(({ Status }) => Status === 'Enabled').map(toRule)];
    }),
  );
}

function toRule(rule: LifecycleRule): Rule {
  return {
    tags: rule.TagFilters ?? [],
    expirationDays: rule.ExpirationInDays,
    noncurrentDays: rule.NoncurrentVersionExpiration?.NoncurrentDays,
    removesMarkers: rule.ExpiredObjectDeleteMarker === true,
  };
}
