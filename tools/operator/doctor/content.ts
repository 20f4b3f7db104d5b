import { maxBatchItems } from '../../../storage/batch-get.ts';
import { objectKeyPrefix, uploadIdOf } from '../../../storage/object-key.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { compareContent } from '../files/compare-content.ts';
import type { ReadProgress } from '../lists/list.ts';
import { counted } from '../text.ts';
import { type CheckResult, failed, ok } from './finding.ts';

/**
 * Compares every file with the bucket, and every object with the files. Costs a HEAD for each file, and a LIST for 100
 * objects.
 *
 * @param progress callback, called with the number of read files, and then of objects
 */
export async function checkContent(
  deployment: Deployment,
  progress: ReadProgress['progress'],
): Promise<CheckResult> {
  const { missing, copied, named } = await compareContent(deployment, false, progress);
  const s3 = await s3Client(deployment);
  const list = { Bucket: deployment.outputs.BucketName, Prefix: objectKeyPrefix, MaxKeys: maxBatchItems };
  const strays: string[] = [];
  let read = 0;
  for await (const { Contents = [] } of s3.paginateListObjectsV2(list)) {
    // A tombstone is empty, and an empty upload has no bytes to lose.
    const keys = Contents.flatMap(({ Key, Size }) => (Key && Size && !named.has(Key) ? [Key] : []));
    // An upload may be recorded between the reads, so the records of the others are read again.
    strays.push(...(await withoutPlace(deployment, await withoutPlace(deployment, keys))));
    read += Contents.length;
    progress?.(read);
  }
  const counts = [
    describe('Files without bytes', missing),
    describe('Files with another version id', copied),
    describe('Objects without a record or a file', strays),
  ];
  return missing.length + copied.length + strays.length === 0
    ? ok(`the bytes of every file are stored, and ${counted(read, 'object')} recorded`)
    : failed(counts.join(' '), 'See "What doctor --content finds" in docs/recovery.md.');
}

/** Returns the number of names, and the first ten of them. */
function describe(title: string, names: readonly string[]): string {
  const first = names.length === 0 ? '' : ` (${names.slice(0, 10).join(', ')})`;
  return `${title}: ${names.length}${first}.`;
}

/** Returns the keys of objects that no file contains, and that no check will record or delete for an existing file. */
async function withoutPlace(deployment: Deployment, keys: readonly string[]): Promise<readonly string[]> {
  const ids = keys.flatMap((key) => uploadIdOf(key) ?? []);
  const uploads = await readItems(deployment, 'upload', ids);
  const fileIds = uploads.flatMap(({ file_id }) => file_id?.S ?? []);
  const files = await readItems(deployment, 'file', fileIds);
  const existing = new Set(files.map(({ file_id }) => file_id?.S));
  // The bytes of an upload without a file are deleted when it is due.
  const due = uploads.filter(({ due_at, file_id }) => due_at && existing.has(file_id?.S));
  const placed = new Set([
    ...files.map(({ content }) => content?.M?.key?.S),
    ...due.map(({ key }) => key?.S),
  ]);
  return keys.filter((key) => !placed.has(key));
}
