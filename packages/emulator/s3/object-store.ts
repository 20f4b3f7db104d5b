import { KeyedMutex } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import type { BucketFiles } from './bucket-files.ts';
import { createVersionId, type NewContent, type ObjectVersion } from './object-version.ts';

/** Listener that is called for every new object, before and after the object exists. */
export interface ObjectListener {
  /**
   * Prepares a new object before it exists. The preparation must be durable when this resolves.
   *
   * @param descriptionPath path of a file that exists only when the object does
   * @throws {Error} when the preparation fails. The object is not created then
   */
  readonly prepare: (version: ObjectVersion, descriptionPath: string) => Promise<Announcement>;
}

/** Prepared work for a new object. One of the two functions is called. */
export interface Announcement {
  /** Called when the object exists. */
  readonly send: () => void;
  /** Called when the object could not be created, for example on a full disk. */
  readonly withdraw: () => Promise<void>;
}

/** Precondition of a PUT: the key has no object, or its newest object has this ETag. */
export type PutCondition = 'absent' | { readonly etag: string };

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
   * @throws {AwsError} the error of {@link requireCondition}
   */
  readonly put: (
    key: string,
    content: NewContent,
    condition: PutCondition | undefined,
    listener: ObjectListener,
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
    put: (key, { path, ...content }, condition, listener) =>
      mutex.run(key, async () => {
        requireCondition(condition, key, await latest(key));
        const version: ObjectVersion = { ...(await identify(key)), ...content, deleteMarker: false };
        const announcement = await listener.prepare(version, files.descriptionPath(version));
        await files.publish(version, path).catch(async (error) => {
          await announcement.withdraw();
          throw error;
        });
        announcement.send();
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
 * @throws {AwsError} 412 PreconditionFailed, or 404 NoSuchKey for an ETag without an object, in S3's words
 */
export function requireCondition(
  condition: PutCondition | undefined,
  key: string,
  latest: ObjectVersion | undefined,
): void {
  const object = latest?.deleteMarker === true ? undefined : latest;
  if (condition === 'absent') {
    if (object !== undefined) {
      throw preconditionFailed('If-None-Match');
    }
  } else if (condition !== undefined) {
    if (object === undefined) {
      throw new AwsError(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
    }
    if (object.etag !== condition.etag) {
      throw preconditionFailed('If-Match');
    }
  }
}

function preconditionFailed(header: string): AwsError {
  const text = 'At least one of the pre-conditions you specified did not hold';
  return new AwsError(412, 'PreconditionFailed', text, { Condition: header });
}

/** Sequencers grow with time. The sequencers of one key grow even if the clock is set back. */
function nextSequencer(newestName: string | undefined, now: Date): string {
  const byClock = BigInt(now.getTime()) << 12n;
  const afterNewest = newestName === undefined ? 0n : BigInt(`0x${newestName.slice(0, 18)}`) + 1n;
  const next = byClock > afterNewest ? byClock : afterNewest;
  return next.toString(16).toUpperCase().padStart(18, '0');
}
