import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type ObjectVersion, versionSchema } from '../../s3/object-version.ts';

/**
 * Returns all versions of a bucket on disk, including delete markers. The versions of a key are newest first.
 */
export async function storedVersions(stateDirectory: string, bucket: string): Promise<ObjectVersion[]> {
  const folder = join(stateDirectory, 's3', bucket, 'keys');
  const names = await readdir(folder, { recursive: true });
  const descriptions = names.filter((name) => name.endsWith('.json')).toSorted();
  const texts = await Promise.all(descriptions.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => v.parse(versionSchema, JSON.parse(text))).toReversed();
}
