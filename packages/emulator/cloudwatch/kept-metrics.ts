import { join } from 'node:path';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { openDirectory, readFileIfPresent, writeFileAtomically } from '../shared/files.ts';
import type { Bucket, MetricStore } from './metric-store.ts';

/**
 * Reads the metrics of an earlier process into a store.
 *
 * @returns writes those of this one, and what an earlier call could not write. A full disk is noted
 */
export async function keepMetrics(
  directory: string,
  store: MetricStore,
  disk: Pick<DiskTrouble, 'noteFailure'>,
): Promise<() => Promise<void>> {
  await openDirectory(directory);
  const path = join(directory, 'metrics.jsonl');
  let written = (await readFileIfPresent(path)) ?? '';
  for (const line of written.split('\n').filter(Boolean)) {
    const bucket = JSON.parse(line) as Bucket;
    // An older version kept no values.
    if (Array.isArray(bucket.values)) {
      store.restore(bucket);
    }
  }
  return async () => {
    const text = store.buckets().reduce((sum, bucket) => `${sum}${JSON.stringify(bucket)}\n`, '');
    if (text !== written) {
      await writeFileAtomically(path, text).then(() => {
        written = text;
      }, disk.noteFailure);
    }
  };
}
