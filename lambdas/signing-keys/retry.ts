import { type RetryPolicy, retry } from '../../contract/internal/retry.ts';
import { describeError, type Log } from '../shared/log/log.ts';

/** Runs an action that must be safe to repeat. Retries it after a temporary failure. */
export type Retry = <Result>(
  action: () => Promise<Result>,
  isTemporary: (error: unknown) => boolean,
) => Promise<Result>;

export interface RetryDependencies extends Pick<RetryPolicy, 'sleep' | 'random'> {
  readonly now: () => Date;
  readonly log: Log;
}

/** Limit for all attempts at all actions of one event. */
const retryMilliseconds = 60_000;

const waits = { firstWaitMilliseconds: 1_000, maxWaitMilliseconds: 8_000 };

/**
 * Creates the retries for one event: about a minute for all its actions, with growing waits. During a first
 * deployment, roles and policies are seconds old, and other services learn of them with a delay (IAM User
 * Guide, "Changes that I make are not always immediately visible"). Secrets Manager is eventually consistent:
 * for a moment, a reader may still see the version before the last change as current. The write of this
 * reader is then rejected.
 */
export function createRetry({ now, sleep, random, log }: RetryDependencies): Retry {
  const end = now().getTime() + retryMilliseconds;
  return async (action, isTemporary) => {
    let failure: unknown;
    const beforeWait = (wait: number) => {
      if (now().getTime() + wait > end) {
        return false;
      }
      log('WARN', 'keyOperationWaits', { wait_milliseconds: wait, ...describeError(failure) });
      return true;
    };
    const done = await retry({ ...waits, beforeWait, sleep, random }, async () => {
      try {
        return { result: await action() };
      } catch (error) {
        if (!isTemporary(error)) {
          throw error;
        }
        failure = error;
        return undefined;
      }
    });
    if (done === undefined) {
      throw failure;
    }
    return done.result;
  };
}

/** Error names with which IAM, KMS and Secrets Manager deny a call. */
const denials: readonly string[] = ['AccessDenied', 'AccessDeniedException', 'KMSAccessDeniedException'];

/** True if AWS denied a call. A new permission may not be known everywhere yet. */
export function isDenied(error: unknown): boolean {
  return (
    error instanceof Error &&
    (denials.includes(error.name) || /not authorized to perform/.test(error.message))
  );
}
