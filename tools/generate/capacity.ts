/**
 * Default quotas of an account in a second, in a Region of each size, and the usage of one upload of each
 * kind. Sources:
 *
 * - API requests: API Gateway Developer Guide, "Quotas". Each upload uses its own token.
 * - Lambda: "Lambda quotas". Requests are ten times the concurrency. An upload takes seconds of concurrency:
 * see the paragraph about Lambda in docs/cost.md.
 * - AssumeRole: IAM User Guide, "IAM and AWS STS quotas".
 * - Invocations, PutEvents: "Amazon EventBridge quotas", read in November 2026. One rule of the operator
 * matches each event.
 * - PutEvents: the checks of the reconciliation send ten events in a call.
 * - Due index: a new on-demand index takes 4,000 writes. Later, its eight partitions for checks and its eight
 * for deletions take 8,000 each. Each time at which an upload becomes due requires two writes: one to enter
 * the index, and one to leave it. The index of the newest uploads uses eight partitions too, and takes one
 * write of an upload.
 * - S3 PUT: S3 User Guide, "Optimizing performance". Ids grow with time: every PUT is in the last range of
 * keys.
 * - Reconciliation: milliseconds of CPU. 1,769 MB provide one core, for 270 of 300 s. Measured with the
 * deployed bundle and an AWS stub that responds immediately: 0.65 and 0.59 ms for the two checks of an unused
 * URL, 0.81 for a deletion.
 */
const [names = [], ...quotas] = `\
quota              | small | medium | large | new  | replacing | unused
API requests       | 2500  | 10000  | 10000 | 2    | 2         | 2
Lambda requests    | 10000 | 10000  | 10000 | 2    | 2         | 2
Lambda concurrency | 1000  | 1000   | 1000  | 0.05 | 0.06      | 0.02
AssumeRole         | 600   | 600    | 600   | 1    | 1         | 1
invocations        | 750   | 1100   | 18750 | 2    | 2         | 1
PutEvents          | 400   | 600    | 10000 | 1    | 1         | 0.1
new due index      | 4000  | 4000   | 4000  | 2    | 4         | 4
due index          | 8000  | 8000   | 8000  | 2    | 2         | 4
S3 PUT             | 3500  | 3500   | 3500  | 1    | 1         | 0
reconciliation     | 900   | 900    | 900   | 0    | 0.81      | 1.24`
  .split('\n')
  .map((row) => row.split(/ *[|] */));

/**
 * Returns the uploads per second of a kind that reach each quota in a Region of a size, the lowest rate
 * first.
 */
export function ceilings(region: string, kind: string) {
  return quotas
    .map(([quota = '']) => ({ quota, max: Math.floor(figure(quota, region) / figure(quota, kind)) }))
    .toSorted((a, b) => a.max - b.max);
}

/** Returns a quota per second in a Region of a size, or the usage of an upload of a kind. */
export function figure(quota: string, name: string): number {
  return Number(quotas.find(([it]) => it === quota)?.[names.indexOf(name)]);
}

/**
 * Returns the table of docs/cost.md: the first quota that each rate exceeds, unless a tenth of the rate
 * already exceeds it.
 */
export function capacityTable(): string {
  const rows = ['new', 'replacing', 'unused'].flatMap((kind) =>
    ['small', 'medium', 'large'].map((region) => {
      const cells = [10, 100, 1_000, 10_000].map((rate) => {
        const first = ceilings(region, kind).find(({ max }) => max < rate && max >= rate / 10);
        return first === undefined ? 'nothing' : `${first.quota}: ${first.max.toLocaleString('en')}`;
      });
      return `| ${kind}, ${region} | ${cells.join(' | ')} |`;
    }),
  );
  return `| Uploads, Region | 10 a second | 100 | 1,000 | 10,000 |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}
