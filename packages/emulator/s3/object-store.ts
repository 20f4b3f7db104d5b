import { KeyedMutex } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import type { BucketFiles } from './bucket-files.ts';
import { createVersionId, type NewContent, type ObjectVersion } from './object-version.ts';

/**
 * Prepares a new object before it exists. The preparation must be durable when this resolves.
 *
 * @param descriptionPath path of a file that exists only when the object does
 * @returns a function to call when the object exists
 * @throws {Error} when the preparation fails. The object is not created then
 */
export type PrepareObject = (version: ObjectVersion, descriptionPath: string) => Promise<() => void>;

/** A versioned bucket. */
export interface ObjectStore {
  /** Newest version, possibly a delete marker; undefined for a key that was never put. */
  readonly latest: (key: string) => Promise<ObjectVersion | undefined>;
  readonly version: (key: string, versionId: string) => Promise<ObjectVersion | undefined>;
  /** Versions of the key, newest first. */
  readonly versions: (key: string) => Promise<ObjectVersion[]>;
  readonly keys: () => Promise<string[]>;
  /**
   * Stores the content as the newest version. The version is durable when this returns.
   *
   * @param ifAbsent true if the key must have no object
   * @throws {AwsError} the error of {@link requireAbsent}
   */
  readonly put: (
    key: string,
    content: NewContent,
    ifAbsent: boolean,
    prepare: PrepareObject,
  ) => Promise<ObjectVersion>;
  readonly putDeleteMarker: (key: string) => Promise<ObjectVersion>;
  readonly removeVersion: (version: ObjectVersion) => Promise<void>;
  readonly contentPath: (version: ObjectVersion) => string;
  readonly incoming: (name: string) => string;
}

export function createObjectStore(files: BucketFiles, now: () => Date): ObjectStore {
  const mutex = new KeyedMutex();
  const latest = async (key: string) => {
    const [newest] = await files.versionNames(key);
    return newest === undefined ? undefined : files.read(key, newest);
  };
  const identify = async (key: string) => ({
    key,
    versionId: createVersionId(),
    sequencer: nextSequencer((await files.versionNames(key))[0], now()),
    lastModified: now().getTime(),
  });

  return {
    latest,
    version: async (key, versionId) => {
      const names = await files.versionNames(key);
      const name = names.find((it) => it.slice(it.indexOf('-') + 1) === `${versionId}.json`);
      return name === undefined ? undefined : files.read(key, name);
    },
    versions: async (key) => {
      const names = await files.versionNames(key);
      const versions = await Promise.all(names.map((name) => files.read(key, name)));
      return versions.filter((version) => version !== undefined);
    },
    keys: files.keys,
    put: (key, { path, ...content }, ifAbsent, prepare) =>
      mutex.run(key, async () => {
        if (ifAbsent) {
          requireAbsent(await latest(key));
        }
        const version: ObjectVersion = { ...(await identify(key)), ...content, deleteMarker: false };
        const announce = await prepare(version, files.descriptionPath(version));
        await files.publish(version, path);
        announce();
        return version;
      }),
    putDeleteMarker: (key) =>
      mutex.run(key, async () => {
        const empty = { size: 0, etag: '', contentType: '', headers: {}, tags: {} };
        const marker: ObjectVersion = { ...(await identify(key)), ...empty, deleteMarker: true };
        await files.publish(marker, undefined);
        return marker;
      }),
    removeVersion: (version) => mutex.run(version.key, () => files.remove(version)),
    contentPath: files.contentPath,
    incoming: files.incoming,
  };
}

/**
 * Checks the condition `If-None-Match: *` of a PUT.
 *
 * @throws {AwsError} 412 PreconditionFailed when the newest version of the key is an object
 */
export function requireAbsent(latest: ObjectVersion | undefined): void {
  if (latest?.deleteMarker === false) {
    const text = 'At least one of the pre-conditions you specified did not hold';
    throw new AwsError(412, 'PreconditionFailed', text, { Condition: 'If-None-Match' });
  }
}

/** Sequencers grow with time. The sequencers of one key grow even if the clock is set back. */
function nextSequencer(newestName: string | undefined, now: Date): string {
  const byClock = BigInt(now.getTime()) << 12n;
  const afterNewest = newestName === undefined ? 0n : BigInt(`0x${newestName.slice(0, 18)}`) + 1n;
  const next = byClock > afterNewest ? byClock : afterNewest;
  return next.toString(16).toUpperCase().padStart(18, '0');
}
