import { join } from 'node:path';
import * as v from 'valibot';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import { openDirectory, writeFileAtomically } from '../shared/files.ts';
import { parseState, readStateText } from '../shared/state-file.ts';
import type { MetricStore } from './metric-store.ts';

const bucketSchema = v.object({
  namespace: v.string(),
  name: v.string(),
  dimensions: v.record(v.string(), v.string()),
  unit: v.string(),
  start: v.number(),
  values: v.array(v.number()),
});

const remedy = 'Move it away: the metrics then begin anew.';

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
  let written = (await readStateText(path, remedy)) ?? '';
  for (const line of written.split('\n').filter(Boolean)) {
    store.restore(parseState(line, { path, schema: bucketSchema, remedy }));
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
