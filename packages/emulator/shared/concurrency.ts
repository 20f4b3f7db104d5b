/** Runs actions one after another, in the order of their calls. */
class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(action, action);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Creates a mutex for each key. A key is forgotten when no action waits for its mutex. */
export class KeyedMutex {
  readonly #active = new Map<string, { readonly mutex: Mutex; users: number }>();

  async run<Result>(key: string, action: () => Promise<Result>): Promise<Result> {
    const entry = this.#active.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.#active.set(key, entry);
    entry.users += 1;
    try {
      return await entry.mutex.run(action);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) {
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
