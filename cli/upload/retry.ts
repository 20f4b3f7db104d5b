import { CommandError } from '../errors.ts';

/** What decides how often and how patiently something is tried. */
export interface RetryPolicy {
  readonly maximumAttempts: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** 0 to 1, exclusive: spreads clients that failed at the same moment. */
  readonly random: () => number;
  /** Told before each wait. */
  readonly onRetry: (reason: string, waitMilliseconds: number) => void;
}

/** One attempt is either done, or says why it is worth another and, if it was told, how long to wait. */
export type Attempt<Result> =
  | { readonly done: Result }
  | { readonly retry: string; readonly waitSeconds?: number };

const firstWaitMilliseconds = 1_000;
const longestWaitMilliseconds = 20_000;

/** Nobody sits in front of a terminal for longer, and a job is better scheduled anew. */
const longestAskedSeconds = 120;

/**
 * Tries until it is done: exponential backoff with jitter, never sooner than the server asked for.
 *
 * @throws {CommandError} with the last reason when every attempt failed, or the server asks for too long a wait
 */
export async function retry<Result>(
  policy: RetryPolicy,
  attempt: (number: number) => Promise<Attempt<Result>>,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    const outcome = await attempt(number);
    if ('done' in outcome) return outcome.done;
    if (number >= policy.maximumAttempts) {
      throw new CommandError(`${outcome.retry} Given up after ${number} attempts.`);
    }
    const asked = outcome.waitSeconds ?? 0;
    if (asked > longestAskedSeconds)
      throw new CommandError(`${outcome.retry} It asks to wait ${asked} s: try later.`);
    const wait = Math.max(asked * 1000, backoffMilliseconds(number, policy.random));
    policy.onRetry(outcome.retry, wait);
    await policy.sleep(wait);
  }
}

/** Jitter over a span that doubles, with half of it as a floor: of 1, 2, 4, 8 ... at most 20 s. */
export function backoffMilliseconds(attempt: number, random: () => number): number {
  const span = Math.min(firstWaitMilliseconds * 2 ** (attempt - 1), longestWaitMilliseconds);
  return Math.round((span * (1 + random())) / 2);
}

/** The `Retry-After` header in seconds from now (RFC 9110 section 10.2.3): a number, or a date. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(Math.ceil((date - now) / 1000), 0);
}
