/** Functions that close started parts, in the reverse order of the starts. */
export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  /** Runs all functions once. If one fails, the others still run. */
  readonly closeAll: () => Promise<void>;
}

/** Runs a start. If it fails, runs all functions that were added. */
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
