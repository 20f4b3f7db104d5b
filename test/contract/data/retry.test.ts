import { retry } from '../../../contract/internal/retry.ts';

/** Retries an attempt that returns a result at last, if at all. Returns it with the waits. */
async function retried(random: number, successAt: number) {
  const waits: number[] = [];
  let attempts = 0;
  const result = await retry(
    {
      firstWaitMilliseconds: 1000,
      maxWaitMilliseconds: 3000,
      maxAttempts: 4,
      sleep: async (wait) => waits.push(wait),
      random: () => random,
    },
    async () => (++attempts === successAt ? 'done' : undefined),
  );
  return [result, ...waits];
}

test.for<[random: number, successAt: number, outcome: readonly unknown[]]>([
  [1, 1, ['done']],
  [1, 4, ['done', 1000, 2000, 3000]],
  [0, 3, ['done', 500, 1000]],
  [1, 5, [undefined, 1000, 2000, 3000]],
])('with the random number %d and a success in attempt %d: %j', async ([random, at, outcome]) => {
  expect(await retried(random, at)).toEqual(outcome);
});
