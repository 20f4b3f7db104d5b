import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  let most = 0;
  const rewrite = async () => {
    store.age(now());
    const all = store.buckets();
    await writeFileAtomically(path, textOf(all));
    lines = all.length;
    most = 2 * lines + sparedLines;
  };
  await rewrite();
  let unsaved: readonly Bucket[] = [];
  return {
    save: async () => {
      const changed = [...unsaved, ...store.takeChanged()];
      if (changed.length === 0) {
        return;
      }
      try {
        if (lines + changed.length > most) {
          await rewrite();
        } else {
          // A full disk may have taken a part of a line.
          await appendFile(path, (unsaved.length > 0 ? '\n' : '') + textOf(changed), { mode: 0o600 });
          lines += changed.length;
        }
        unsaved = [];
      } catch (error) {
        unsaved = changed;
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
    try {
      return [JSON.parse(line) as Bucket];
    } catch {
      return [];
    }
  });
}
