/** Notices when no work has been under way for a while. */
export interface QuietWatch {
  /** Runs work, which counts as under way until it has ended, with success or not. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Stops noticing. */
  readonly close: () => void;
}

/**
 * @param milliseconds time without any work after which it is quiet
 * @param onQuiet called once each time that it becomes quiet
 */
export function createQuietWatch(milliseconds: number, onQuiet: () => void): QuietWatch {
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    during: async (work) => {
      underWay += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        underWay -= 1;
        // The timer must not keep the process alive.
        if (underWay === 0) {
          timer = setTimeout(onQuiet, milliseconds).unref();
        }
      }
    },
    close: () => clearTimeout(timer),
  };
}
