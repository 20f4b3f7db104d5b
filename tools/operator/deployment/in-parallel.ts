/** Number of calls of a long action in progress. Two calls of DynamoDB or S3 take about 20 ms each. */
export const parallelCalls = 16;

/**
 * Creates a function that runs at most {@link parallelCalls} of its tasks at the same time. The others wait.
 */
export function queue(): Queue {
  let free = parallelCalls;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free === 0) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      free -= 1;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift() ?? (() => (free += 1));
      next();
    }
  };
}

/** Runs a task as soon as few enough others run. */
export type Queue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Acts on entries, several at a time. After a failure, no other entry begins, and those in progress end first.
 *
 * @throws {Error} the first failure
 */
export async function inParallel<Entry>(
  entries: readonly Entry[],
  act: (entry: Entry) => Promise<unknown>,
): Promise<void> {
  const left = entries.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const entry of left) {
      try {
        await act(entry);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, worker));
  if (failures.length > 0) {
    throw failures[0];
  }
}
