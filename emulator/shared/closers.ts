/** What has to be ended, in reverse order of its start. */
export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  /** Ends everything once, even when something fails to end. */
  readonly closeAll: () => Promise<void>;
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
