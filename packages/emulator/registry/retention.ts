import { repeatedWork } from '../shared/concurrency.ts';
import type { RunningService, ServiceContext } from './aws-service.ts';

/** Time between two removals. S3 removes objects once a day, and DynamoDB removes items within a few days. */
const intervalMilliseconds = 60 * 60 * 1000;

/** Removes expired data: objects by the lifecycle rules of their bucket, and items by their time to live. */
export interface Retention {
  /** Removes all expired data as of a time, without pauses. */
  readonly apply: (now: Date) => Promise<void>;
  /** Removes expired data in the background: now, and then every hour. */
  readonly start: () => void;
  /** Ends the removals in the background. Resolves when no removal is under way. */
  readonly stop: () => Promise<void>;
}

export function createRetention(
  services: readonly RunningService[],
  { now, log }: ServiceContext,
): Retention {
  const ended = new AbortController();
  const apply = async (time: Date, signal?: AbortSignal) => {
    for (const service of services) {
      await service.removeExpired?.(time, signal);
    }
  };
  const act = () => apply(now(), ended.signal);
  const work = repeatedWork(intervalMilliseconds, act, (error) => {
    // An ending emulator aborts the removal, and the next start continues it: an abort is not a failure.
    if (!ended.signal.aborted) {
      log({ level: 'error', message: 'retention failed', error: String(error) });
    }
  });
  return {
    apply: (time) => apply(time),
    start: work.start,
    stop: async () => {
      ended.abort();
      await work.stop();
    },
  };
}
