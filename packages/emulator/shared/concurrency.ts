import pLimit, { type LimitFunction } from 'p-limit';

/** Runs the actions of a key one after another. A key is forgotten when none of its actions waits. */
export class KeyedMutex {
  readonly #active = new Map<string, LimitFunction>();

  async run<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const limit = this.#active.get(key) ?? pLimit(1);
    this.#active.set(key, limit);
    try {
      return await limit(action);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) {
        this.#active.delete(key);
      }
    }
  }
}

/** Waits for a result for a limited time. Resolves with undefined after a timeout; the work continues. */
export function withTimeout<Result>(
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs work now and at intervals, never twice at the same time. */
export function repeatedWork(
  milliseconds: number,
  act: () => Promise<void>,
  onFailure: (error: unknown) => void,
) {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    running = running.then(act).catch(onFailure);
  };
  return {
    start: () => {
      run();
      timer = setInterval(run, milliseconds).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
