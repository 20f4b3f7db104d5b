import { join } from 'node:path';
import * as v from 'valibot';
import { openDirectory, writeFileAtomically } from '../shared/files.ts';
import type { FullDiskReporter } from '../shared/full-disk.ts';
import { parseState, readStateText } from '../shared/state-file.ts';
import type { MetricStore } from './metric-store.ts';

const bucketSchema = v.object({
  namespace: v.string(),
  name: v.string(),
  dimensions: v.record(v.string(), v.string()),
  start: v.number(),
  values: v.array(v.number()),
});

const remedy = 'Move it away: the metrics then start empty.';

/**
 * Reads the metrics of an earlier process into a store.
 *
 * @returns a function that writes all metrics of the store. If the disk is full, a later call writes them
 */
export async function openMetricsFile(
  directory: string,
  store: MetricStore,
  disk: Pick<FullDiskReporter, 'reportFailure'>,
): Promise<() => Promise<void>> {
  await openDirectory(directory);
  const path = join(directory, 'metrics.jsonl');
  let written = (await readStateText(path, remedy)) ?? '';
  for (const line of written.split('\n').filter(Boolean)) {
    store.restore(parseState(line, { path, schema: bucketSchema, remedy }));
  }
  return async () => {
    const text = store
      .buckets()
      .map((bucket) => `${JSON.stringify(bucket)}\n`)
      .join('');
    if (text !== written) {
      await writeFileAtomically(path, text).then(() => {
        written = text;
      }, disk.reportFailure);
    }
  };
}
