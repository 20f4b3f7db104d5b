import type { TableEngine } from './dynamodb/engine.ts';
import { expireItems } from './dynamodb/time-to-live.ts';
import { createLifecycle } from './s3/lifecycle.ts';
import type { ObjectStore } from './s3/object-store.ts';
import type { Resource } from './shared/resource-type.ts';

/** How often what is over is removed. S3 does so once a day, and DynamoDB within a few days. */
const intervalMilliseconds = 60 * 60 * 1000;

export interface RetentionOptions {
  readonly engine: TableEngine;
  readonly buckets: ReadonlyMap<string, ObjectStore>;
  readonly resources: readonly Resource[];
  readonly now: () => Date;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** Removes objects and items whose time is over. */
export interface Retention {
  /** Applies the lifecycle rules and the times to live as of a time, as fast as it can. */
  readonly apply: (now: Date) => Promise<void>;
  /**
   * Applies them now and then every hour, in the background.
   *
   * @returns stops that, and resolves when nothing of it is under way
   */
  readonly start: () => () => Promise<void>;
}

export function createRetention({ engine, buckets, resources, now, log }: RetentionOptions): Retention {
  const applyLifecycle = createLifecycle(buckets, resources);
  const apply = async (time: Date, signal?: AbortSignal) => {
    await applyLifecycle(time, signal);
    await expireItems(engine, resources, time, signal);
  };
  const inBackground = async (signal: AbortSignal) => {
    try {
      await apply(now(), signal);
    } catch (error) {
      // The emulator ends, and the next start goes on: that is no failure.
      if (!signal.aborted) {
        log({ level: 'error', message: 'retention failed', error: String(error) });
      }
    }
  };
  return {
    apply: (time) => apply(time),
    start: () => {
      const ended = new AbortController();
      let running = Promise.resolve();
      const run = () => {
        running = running.then(() => inBackground(ended.signal));
      };
      run();
      const timer = setInterval(run, intervalMilliseconds);
      timer.unref();
      return async () => {
        clearInterval(timer);
        ended.abort();
        await running;
      };
    },
  };
}
