import { sampleSize } from '../../storage/unrecorded.ts';
import { dueShards, uploadShards } from '../../storage/upload-due.ts';

/**
 * Returns the table of docs/cost.md: the calls of a run of the reconciliation in which no upload is due. The
 * sample reads two ranges of each partition.
 */
export function reconciliationCostTable(): string {
  const ranges = 2 * uploadShards.length;
  const queries = dueShards.length + ranges;
  const row = (heads: number) => {
    // 8,766 runs in a month, by the list prices of half a read unit and of a HEAD.
    const dollars = 8766 * (queries * 0.0625e-6 + heads * 0.4e-6);
    return `| ${queries} | ${heads} | $${dollars.toFixed(2)} |`;
  };
  return `\
| A run of the reconciliation | Queries | S3 HEAD | A month |
|---|--:|--:|--:|
| without unused URLs ${row(0)}
| with many unused URLs ${row(ranges * sampleSize)}`;
}
