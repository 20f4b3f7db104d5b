/** Things that must be ended, in the reverse order of their start. */
export interface Closers {
  readonly add: (close: () => Promise<void> | void) => void;
  /** Ends everything once. When one thing fails to end, the others end all the same. */
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
