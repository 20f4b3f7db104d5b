/** Notices when nothing has been under way for a while. */
export interface QuietWatch {
  /** Counts work as under way until it has ended, whether it succeeds or not. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Stops noticing. */
  readonly close: () => void;
}

/**
 * @param milliseconds without any work, after which it is quiet
 * @param onQuiet called once for each time that it becomes so
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
        // Nobody waits for it: it keeps no process alive.
        if (underWay === 0) {
          timer = setTimeout(onQuiet, milliseconds).unref();
        }
      }
    },
    close: () => clearTimeout(timer),
  };
}
