import { describeError, type Log } from '../shared/log/log.ts';

/** Runs an action that must be safe to repeat. Retries it after a temporary failure. */
export type Retry = <Result>(
  action: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
) => Promise<Result>;

export interface RetryDependencies {
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly log: Log;
}

/** Limit for all attempts at all actions of one event. */
const retryMilliseconds = 60_000;

/** The wait before the second attempt. It doubles for each later attempt. */
const firstWaitMilliseconds = 1_000;

const maxWaitMilliseconds = 8_000;

/**
 * Creates the retries for one event: about a minute for all its actions, with growing waits. During a first
 * deployment, roles and policies are seconds old, and other services learn of them with a delay (IAM User
 * Guide, "Changes that I make are not always immediately visible"). Secrets Manager is eventually consistent:
 * for a moment, a reader may still see the version before the last change as current. The write of this
 * reader is then rejected.
 */
export function createRetry({ now, sleep, log }: RetryDependencies): Retry {
  const end = now().getTime() + retryMilliseconds;
  return async (action, mayPass) => {
    for (let wait = firstWaitMilliseconds; ; wait = Math.min(2 * wait, maxWaitMilliseconds)) {
      try {
        return await action();
      } catch (error) {
        if (!mayPass(error) || now().getTime() + wait > end) {
          throw error;
        }
        log('WARN', 'keyOperationWaits', { wait_milliseconds: wait, ...describeError(error) });
        await sleep(wait);
      }
    }
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
