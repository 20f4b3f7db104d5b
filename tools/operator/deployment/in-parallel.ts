import type { Pages } from '../lists/list.ts';

/** Number of calls of a long action in progress. Two calls of DynamoDB or S3 take about 20 ms each. */
export const parallelCalls = 16;

/**
 * Acts on entries, several at a time. A page is read when the one before has begun, so memory contains one page. After a
 * failure, no other entry begins, and those in progress end first.
 *
 * @throws {Error} the first failure
 */
export async function inParallel<Entry>(
  entries: readonly Entry[] | Pages<Entry>,
  act: (entry: Entry) => Promise<unknown>,
): Promise<void> {
  const left = shared(entries);
  const failures: unknown[] = [];
  const worker = async () => {
    try {
      for await (const entry of left) {
        if (failures.length > 0) {
          return;
        }
        await act(entry);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: parallelCalls }, worker));
  if (failures.length > 0) {
    throw failures[0];
  }
}

/** Returns one iterator for all workers. */
async function* shared<Entry>(entries: readonly Entry[] | Pages<Entry>) {
  for await (const page of Symbol.asyncIterator in entries ? entries : [entries]) {
    yield* page;
  }
}
