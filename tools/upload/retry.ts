import { CommandError } from '../terminal/errors.ts';

/** How to wait. */
export interface RetryPolicy {
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Called before each wait. */
  readonly onRetry: (reason: string, waitMilliseconds: number) => void;
}

/** The outcome of one attempt: a result, or the reason for a retry and the wait that the server asked for, if any. */
export type Attempt<Result> =
  | { readonly done: Result }
  | { readonly retry: string; readonly waitSeconds?: number | undefined };

const maxAttempts = 5;
const firstWaitMilliseconds = 1_000;
const maxWaitMilliseconds = 20_000;

/** A longer wait is for the caller to decide: a person may come back later, and a job can be scheduled again. */
const maxRetryAfterSeconds = 120;

/**
 * Retries with exponential backoff and jitter, and never sooner than the server asked for.
 *
 * @throws {CommandError} with the last reason when all attempts failed, or the server asks for too long a wait
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
    const wait = Math.max(asked * 1000, backoffMilliseconds(number, Math.random()));
    policy.onRetry(outcome.retry, wait);
    await policy.sleep(wait);
  }
}

/**
 * A random wait between half and all of a span that doubles with each attempt: 1, 2, 4, 8 ... at most 20 s.
 *
 * @param random from 0 to below 1. It spreads the retries of clients that failed at the same moment
 */
export function backoffMilliseconds(attempt: number, random: number): number {
  const span = Math.min(firstWaitMilliseconds * 2 ** (attempt - 1), maxWaitMilliseconds);
  return Math.round((span * (1 + random)) / 2);
}
