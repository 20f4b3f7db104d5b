import { createHash } from 'node:crypto';
import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createDirectory,
  listDirectory,
  openDirectory,
  removeFile,
  removeTemporaryFiles,
  syncDirectory,
  temporarySuffix,
  writeFileAtomically,
} from '../shared/files.ts';
import { readStateFile, restoreOrStartElsewhere } from '../shared/state-file.ts';
import { type ObjectVersion, versionSchema } from './object-version.ts';

/** Parts of the file names of a version. */
type VersionName = Pick<ObjectVersion, 'key' | 'sequencer' | 'versionId'>;

/**
 * Files of a bucket. Each key has a folder, named by the digest of the key. In that folder each version
 * consists of a file `{sequencer}-{versionId}.json`, the description, and a file that ends in `.bin`, the
 * content. A version exists if its description exists.
 */
export interface BucketFiles {
  /** Path for content that is still arriving. */
  readonly incoming: (name: string) => string;
  /** Names of a key's versions, newest first. */
  readonly versionNames: (key: string) => Promise<string[]>;
  readonly read: (key: string, name: string) => Promise<ObjectVersion | undefined>;
  /**
   * Moves the content to its final path, and then writes the description. From then on the version exists.
   */
  readonly publish: (version: ObjectVersion, contentPath: string | undefined) => Promise<void>;
  readonly remove: (version: ObjectVersion) => Promise<void>;
  readonly contentPath: (version: ObjectVersion) => string;
  readonly descriptionPath: (version: VersionName) => string;
  /** All keys with a current or former version. */
  readonly keys: () => Promise<string[]>;
}

/** Returns the folder of a key, which is named by the digest of the key. */
export function folderOfKey(keysDirectory: string, key: string): string {
  const digest = createHash('sha256').update(key).digest('hex');
  return join(keysDirectory, digest.slice(0, 2), digest);
}

/** Opens the folder of a bucket. Removes unfinished files of a killed process. */
export async function openBucketFiles(directory: string): Promise<BucketFiles> {
  const incoming = join(directory, 'incoming');
  const keysDirectory = join(directory, 'keys');
  await openDirectory(incoming);
  await createDirectory(keysDirectory);
  for (const folder of await keyFolders(keysDirectory)) {
    await clearUnpublished(folder);
  }

  const folderOf = (key: string) => folderOfKey(keysDirectory, key);
  const fileOf = ({ key, sequencer, versionId }: VersionName, end: string) =>
    join(folderOf(key), `${sequencer}-${versionId}${end}`);
  const descriptionPath: BucketFiles['descriptionPath'] = (version) => fileOf(version, '.json');
  // Read the keys from the disk only once: this reads a file of every key.
  let stored: Promise<readonly string[]> | undefined;
  const published = new Set<string>();

  return {
    incoming: (name) => join(incoming, `${name}${temporarySuffix}`),
    versionNames: async (key) => newestFirst(await listDirectory(folderOf(key))),
    read: (key, name) => readVersion(join(folderOf(key), name)),
    publish: async (version, contentPath) => {
      await createKeyFolder(folderOf(version.key));
      if (contentPath !== undefined) {
        await rename(contentPath, fileOf(version, '.bin'));
      }
      // Writing the description syncs the folder, and with it the content's new name.
      await writeFileAtomically(descriptionPath(version), JSON.stringify(version));
      published.add(version.key);
    },
    remove: async (version) => {
      await removeFile(descriptionPath(version));
      await syncDirectory(folderOf(version.key));
      await removeFile(fileOf(version, '.bin'));
    },
    contentPath: (version) => fileOf(version, '.bin'),
    descriptionPath,
    keys: async () => {
      stored ??= readKeys(keysDirectory);
      return [...new Set([...(await stored), ...published])];
    },
  };
}

function newestFirst(names: readonly string[]): string[] {
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed();
}

async function readVersion(path: string): Promise<ObjectVersion | undefined> {
  return readStateFile(path, versionSchema, restoreOrStartElsewhere);
}

async function readKeys(keysDirectory: string): Promise<readonly string[]> {
  const folders = await keyFolders(keysDirectory);
  const keys = await Promise.all(folders.map(keyOfFolder));
  return keys.filter((key) => key !== undefined);
}

async function keyOfFolder(folder: string): Promise<string | undefined> {
  const [newest] = newestFirst(await listDirectory(folder));
  return newest === undefined ? undefined : (await readVersion(join(folder, newest)))?.key;
}

async function keyFolders(keysDirectory: string): Promise<string[]> {
  const groups = await readdir(keysDirectory);
  const folders = await Promise.all(
    groups.map(async (group) => {
      const names = await listDirectory(join(keysDirectory, group));
      return names.map((name) => join(keysDirectory, group, name));
    }),
  );
  return folders.flat();
}

async function createKeyFolder(folder: string): Promise<void> {
  await createDirectory(folder);
  await syncDirectory(dirname(folder));
  await syncDirectory(dirname(dirname(folder)));
}

async function clearUnpublished(folder: string): Promise<void> {
  await removeTemporaryFiles(folder);
  const names = new Set(await listDirectory(folder));
  const contents = [...names].filter((name) => name.endsWith('.bin'));
  const orphans = contents.filter((name) => !names.has(name.replace(/\.bin$/, '.json')));
  await Promise.all(orphans.map((name) => removeFile(join(folder, name))));
}
