import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { DiskTrouble } from '../shared/disk-trouble.ts';
import {
  makeDirectory,
  readFileIfPresent,
  removeTemporaryFiles,
  writeFileAtomically,
} from '../shared/files.ts';
import type { Bucket, MetricStore } from './metric-store.ts';

/** Metrics that are kept in a file. */
export interface KeptMetrics {
  /** Writes what changed since the last call. A full disk is noted; the values are then written later. */
  readonly save: () => Promise<void>;
}

export interface KeptMetricsOptions {
  readonly directory: string;
  readonly store: MetricStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly disk: Pick<DiskTrouble, 'noteFailure'>;
}

/** The file is written anew when it has this many lines more than there are buckets, twice over. */
const sparedLines = 20_000;

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    namespace: v.string(),
    name: v.string(),
    dimensions: v.record(v.string(), v.string()),
    unit: v.string(),
    span: v.picklist(['minute', 'hour']),
    start: v.number(),
    summary: v.object({
      count: v.number(),
      sum: v.number(),
      min: v.number(),
      max: v.number(),
      bins: v.exactOptional(v.record(v.string(), v.number())),
    }),
  }),
);

/**
 * Reads the metrics of an earlier process into a store, and keeps those of this one. The file has a line for each
 * minute of each metric. A later line takes the place of an earlier one for the same minute. A `kill -9` loses the
 * seconds since the last call of `save`, as CloudWatch may lose some: metrics are delivered "on a best-effort basis".
 */
export async function keepMetrics({ directory, store, now, disk }: KeptMetricsOptions): Promise<KeptMetrics> {
  await makeDirectory(directory);
  await removeTemporaryFiles(directory);
  const path = join(directory, 'metrics.jsonl');
  for (const bucket of parseLines((await readFileIfPresent(path)) ?? '')) {
    store.restore(bucket);
  }
  let lines = 0;
  const rewrite = async () => {
    store.age(now());
    const all = [...store.buckets()];
    await writeFileAtomically(path, textOf(all));
    lines = all.length;
    return lines;
  };
  let compactAt = 2 * (await rewrite()) + sparedLines;
  let unsaved: readonly Bucket[] = [];
  // A full disk may have taken a part of a line.
  let cut = false;
  return {
    save: async () => {
      const changed = [...unsaved, ...store.takeChanged()];
      if (changed.length === 0) {
        return;
      }
      unsaved = [];
      try {
        if (lines + changed.length > compactAt) {
          compactAt = 2 * (await rewrite()) + sparedLines;
          return;
        }
        await appendFile(path, (cut ? '\n' : '') + textOf(changed), { mode: 0o600 });
        cut = false;
        lines += changed.length;
      } catch (error) {
        unsaved = changed;
        cut = true;
        disk.noteFailure(error);
      }
    },
  };
}

function textOf(buckets: readonly Bucket[]): string {
  return buckets.map((bucket) => `${JSON.stringify(bucket)}\n`).join('');
}

/** A line that was cut short by a `kill -9` is left out. */
function parseLines(text: string): Bucket[] {
  return text.split('\n').flatMap((line) => {
    const parsed = v.safeParse(lineSchema, line);
    return parsed.success ? [parsed.output] : [];
  });
}
