import { FileSyncError } from './errors.ts';

/** Options for the waits between attempts. */
export interface RetryPolicy {
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Called before each wait. */
  readonly onRetry: (reason: string, waitMilliseconds: number) => void;
}

/**
 * Outcome of one attempt: a result, or the reason for a retry and the wait that the server requires, if any.
 */
export type Attempt<Result> =
  | { readonly done: Result }
  | { readonly retry: string; readonly waitSeconds?: number | undefined };

const maxAttempts = 5;
const firstWaitMilliseconds = 1_000;
const maxWaitMilliseconds = 20_000;

/**
 * Maximum wait. For a longer wait, the caller decides: a person may come back later, and a job can be
 * scheduled again.
 */
const maxRetryAfterSeconds = 120;

/**
 * Retries with exponential backoff and jitter, after at least the wait that the server requires.
 *
 * @throws {FileSyncError} with the last reason if all attempts failed, or the required wait is too long
 */
export async function retry<Result>(
  policy: RetryPolicy,
  attempt: (number: number) => Promise<Attempt<Result>>,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    const outcome = await attempt(number);
    if ('done' in outcome) {
      return outcome.done;
    }
    if (number >= maxAttempts) {
      throw new FileSyncError('unavailable', `${outcome.retry} Gave up after ${number} attempts.`);
    }
    const asked = outcome.waitSeconds ?? 0;
    if (asked > maxRetryAfterSeconds) {
      const advice = `It asks to wait ${asked} s: try again later.`;
      throw new FileSyncError('unavailable', `${outcome.retry} ${advice}`);
    }
    const wait = Math.max(asked * 1000, backoffMilliseconds(number, Math.random()));
    policy.onRetry(outcome.retry, wait);
    await policy.sleep(wait);
  }
}

/**
 * Returns a random wait between half and all of a span that doubles with each attempt: 1, 2, 4, 8 ... at most
 * 20 s.
 *
 * @param random number from 0 to below 1. It spreads the retries of clients that failed at the same moment
 */
export function backoffMilliseconds(attempt: number, random: number): number {
  const span = Math.min(firstWaitMilliseconds * 2 ** (attempt - 1), maxWaitMilliseconds);
  return Math.round((span * (1 + random)) / 2);
}
