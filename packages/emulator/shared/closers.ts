/** Things that must be ended, in the reverse order of their start. */
export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  /** Ends everything once. If one thing fails to end, the other things end all the same. */
  readonly closeAll: () => Promise<void>;
}

/** Starts something. If the start fails, ends everything that was added. */
export async function startWith<Started>(start: (closers: Closers) => Promise<Started>): Promise<Started> {
  const closers = createClosers();
  try {
    return await start(closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

export function createClosers(): Closers {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    add: (close) => void closers.push(close),
    closeAll: async () => {
      for (const close of closers.splice(0).reverse()) {
        await Promise.resolve(close()).catch(() => undefined);
      }
    },
  };
}
