import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { folderOfKey } from '../../s3/bucket-files.ts';
import { type ObjectVersion, versionSchema } from '../../s3/object-version.ts';

/**
 * Returns the versions of a bucket on disk, including delete markers. The versions of a key are newest first.
 *
 * @param key key of the versions; default: all keys
 */
export async function storedVersions(
  stateDirectory: string,
  bucket: string,
  key?: string,
): Promise<ObjectVersion[]> {
  const keys = join(stateDirectory, 's3', bucket, 'keys');
  const folder = key === undefined ? keys : folderOfKey(keys, key);
  const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
  const descriptions = names.filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(descriptions.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => v.parse(versionSchema, JSON.parse(text))).toReversed();
}
