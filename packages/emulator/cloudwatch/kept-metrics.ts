import { join } from 'node:path';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { openDirectory, readFileIfPresent, writeFileAtomically } from '../shared/files.ts';
import type { Bucket, MetricStore } from './metric-store.ts';

/**
 * Reads the metrics of an earlier process into a store.
 *
 * @returns a function that writes all metrics of the store. If the disk is full, a later call writes them
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
    // An older version of the emulator stored no values.
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
