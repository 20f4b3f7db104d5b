import { backoffMilliseconds } from '../../contract/internal/retry.ts';
import { CommandError } from '../terminal/errors.ts';

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
const backoff = { firstWaitMilliseconds: 1_000, maxWaitMilliseconds: 20_000 };

/**
 * Maximum wait. For a longer wait, the caller decides: a person may come back later, and a job can be
 * scheduled again.
 */
const maxRetryAfterSeconds = 120;

/**
 * Retries with exponential backoff and jitter, after at least the wait that the server requires.
 *
 * @throws {CommandError} with the last reason if all attempts failed, or the required wait is too long
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
      throw new CommandError(`${outcome.retry} Gave up after ${number} attempts.`);
    }
    const asked = outcome.waitSeconds ?? 0;
    if (asked > maxRetryAfterSeconds) {
      throw new CommandError(`${outcome.retry} It asks to wait ${asked} s: try again later.`);
    }
    const wait = Math.max(asked * 1000, backoffMilliseconds(backoff, number, Math.random()));
    policy.onRetry(outcome.retry, wait);
    await policy.sleep(wait);
  }
}
