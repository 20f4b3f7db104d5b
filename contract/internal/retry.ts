/** Waits that grow with each attempt. */
interface Backoff {
  /** Longest wait before the second attempt, in milliseconds. It doubles for each later attempt. */
  readonly firstWaitMilliseconds: number;
  /** Default: no limit. */
  readonly maxWaitMilliseconds?: number;
}

/** Attempts of a call. Each wait is random, so that callers that failed at the same moment retry apart. */
export interface RetryPolicy extends Backoff {
  /** Default: no limit. */
  readonly maxAttempts?: number;
  /** Called before each wait. Returns false to end the attempts instead. */
  readonly beforeWait?: (milliseconds: number) => boolean;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Random number from 0 to 1, like `Math.random`. */
  readonly random: () => number;
}

/**
 * Repeats an attempt until it returns a result.
 *
 * @param attempt returns undefined to be repeated
 * @returns undefined if no attempt returned a result
 *
 * @example
 * ```ts
 * const policy = { firstWaitMilliseconds: 1_000, maxAttempts: 6, sleep, random: Math.random };
 * const response = await retry(policy, async () => {
 *   const response = await fetch(url);
 *   return response.status === 429 ? undefined : response;
 * });
 * ```
 */
export async function retry<Result>(
  policy: RetryPolicy,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let number = 1; ; number += 1) {
    const result = await attempt();
    if (result !== undefined || number === policy.maxAttempts) {
      return result;
    }
    const wait = backoffMilliseconds(policy, number, policy.random());
    if (policy.beforeWait?.(wait) === false) {
      return undefined;
    }
    await policy.sleep(wait);
  }
}

/**
 * Returns a random wait after an attempt: between half and all of a span that doubles with each attempt.
 *
 * @param attempt number of the attempt, from 1
 * @param random number from 0 to 1
 */
export function backoffMilliseconds(
  { firstWaitMilliseconds, maxWaitMilliseconds = Infinity }: Backoff,
  attempt: number,
  random: number,
): number {
  const span = Math.min(firstWaitMilliseconds * 2 ** (attempt - 1), maxWaitMilliseconds);
  return Math.round((span * (1 + random)) / 2);
}
