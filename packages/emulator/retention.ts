import type { RunningService, Surroundings } from './registry/aws-service.ts';

/** How often what is over is removed. S3 does so once a day, and DynamoDB within a few days. */
const intervalMilliseconds = 60 * 60 * 1000;

/** Removes what is over: objects by the lifecycle rules of their bucket, and items by their time to live. */
export interface Retention {
  /** Removes what is over as of a time, as fast as it can. */
  readonly apply: (now: Date) => Promise<void>;
  /** Removes what is over now, and then every hour, in the background. */
  readonly start: () => void;
  /** Ends the removals in the background. Resolves when none is under way. */
  readonly stop: () => Promise<void>;
}

export function createRetention(services: readonly RunningService[], { now, log }: Surroundings): Retention {
  const ended = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const apply = async (time: Date, signal?: AbortSignal) => {
    for (const service of services) {
      await service.removeExpired?.(time, signal);
    }
  };
  const run = () => {
    running = running
      .then(() => apply(now(), ended.signal))
      .catch((error) => {
        // The emulator ends, and the next start goes on: that is no failure.
        if (!ended.signal.aborted) {
          log({ level: 'error', message: 'retention failed', error: String(error) });
        }
      });
  };
  return {
    apply: (time) => apply(time),
    start: () => {
      run();
      timer = setInterval(run, intervalMilliseconds).unref();
    },
    stop: async () => {
      clearInterval(timer);
      ended.abort();
      await running;
    },
  };
}
