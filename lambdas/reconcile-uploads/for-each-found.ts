/** Limits of a run. */
export interface RunLimits {
  /** Returns true if the run can start another check. */
  readonly hasTime: () => boolean;
  /** Random number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/**
 * Number of uploads or files of a partition that a run checks concurrently. It keeps the function's processor busy
 * while calls wait. If a check takes 70 ms, the eight partitions of deletions complete 1,100 checks a second.
 */
const maxConcurrentChecks = 10;

/**
 * Checks the pages of partitions at the same time, and counts the outcomes.
 *
 * @param limit number of items to check in a partition, all from its first page. Default: all
 * @returns the rest of the pages that were read when the time was over; empty: all were checked
 */
export async function forEachFound<Found, Outcome extends string>(
  partitions: readonly (AsyncIterable<readonly Found[]> | Iterable<readonly Found[]>)[],
  check: (found: Found) => Promise<Outcome>,
  counts: Record<Outcome, number>,
  { hasTime, random }: RunLimits,
  limit?: number,
): Promise<Found[]> {
  const left = partitions.map(async (pages) => {
    for await (const listed of pages) {
      // Each run starts at a random upload, so that concurrent runs share the work of a page.
      const first = Math.floor(random() * listed.length);
      const page = [...listed.slice(first), ...listed.slice(0, first)].slice(0, limit);
      for (let start = 0; start < page.length; start += maxConcurrentChecks) {
        if (!hasTime()) {
          return page.slice(start);
        }
        const some = page.slice(start, start + maxConcurrentChecks);
        for (const outcome of await Promise.all(some.map(check))) {
          counts[outcome] += 1;
        }
      }
      if (limit !== undefined) {
        break;
      }
    }
    return [];
  });
  return (await Promise.all(left)).flat();
}
