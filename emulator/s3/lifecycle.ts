import type { Resource } from '../shared/resource-type.ts';
import { ofType } from '../shared/resource-type.ts';
import type { ObjectStore } from './object-store.ts';
import { bucketType } from './resource-types.ts';

/** A rule that removes versions that are no longer the newest. */
interface Expiration {
  readonly prefix: string;
  /** Days after a newer version was put. */
  readonly days: number;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How often the rules are applied. S3 applies them once a day. */
const intervalMilliseconds = 60 * 60 * 1000;

/** Applies the lifecycle rules of the template's buckets immediately, and then every hour. @returns stops that */
export function startLifecycle(
  buckets: ReadonlyMap<string, ObjectStore>,
  resources: readonly Resource[],
  now: () => Date,
  log: (line: Readonly<Record<string, unknown>>) => void,
): () => void {
  const expirations = collectExpirations(resources);
  const apply = async () => {
    for (const [bucket, rules] of expirations) {
      const store = buckets.get(bucket);
      if (store !== undefined && rules.length > 0) {
        await expireNoncurrent(store, rules, now());
      }
    }
  };
  const run = () => {
    apply().catch((error) => log({ level: 'error', message: 'lifecycle failed', error: String(error) }));
  };
  run();
  const timer = setInterval(run, intervalMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Removes versions that have not been the newest for longer than a rule keeps them. */
async function expireNoncurrent(store: ObjectStore, rules: readonly Expiration[], now: Date): Promise<void> {
  for (const key of await store.keys()) {
    const days = rules.filter(({ prefix }) => key.startsWith(prefix)).map((rule) => rule.days);
    if (days.length === 0) {
      continue;
    }
    const oldest = now.getTime() - Math.min(...days) * dayMilliseconds;
    const versions = await store.versions(key);
    for (const [i, version] of versions.entries()) {
      const newer = versions[i - 1];
      if (newer !== undefined && newer.lastModified < oldest) {
        await store.removeVersion(version);
      }
    }
  }
}

function collectExpirations(resources: readonly Resource[]): Map<string, Expiration[]> {
  return new Map(
    ofType(resources, bucketType).map(({ ref, properties }) => {
      const rules = properties.LifecycleConfiguration?.Rules ?? [];
      const expirations = rules.flatMap(
        ({ Status, Prefix = '', NoncurrentVersionExpiration: noncurrent }) => {
          if (Status === 'Disabled' || noncurrent === undefined) {
            return [];
          }
          return [{ prefix: Prefix, days: noncurrent.NoncurrentDays }];
        },
      );
      return [ref, expirations];
    }),
  );
}
