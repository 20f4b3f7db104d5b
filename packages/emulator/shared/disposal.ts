/**
 * Functions that close started parts, in the reverse order of the starts. It is the part of
 * `AsyncDisposableStack` that the emulator uses, which Node.js 20 lacks.
 */
export interface DisposalStack {
  /** Adds a function. */
  readonly defer: (close: () => Promise<void> | void) => void;
  /** Runs all functions once. If one fails, the others still run. */
  readonly disposeAsync: () => Promise<void>;
}

/** Runs a start. If the start fails, disposes of the parts that were already started. */
export async function disposeOnFailure<Started>(
  start: (disposals: DisposalStack) => Promise<Started>,
): Promise<Started> {
  const disposals = createDisposalStack();
  try {
    return await start(disposals);
  } catch (error) {
    await disposals.disposeAsync();
    throw error;
  }
}

export function createDisposalStack(): DisposalStack {
  const disposals: (() => Promise<void> | void)[] = [];
  return {
    defer: (close) => void disposals.push(close),
    disposeAsync: async () => {
      for (const close of disposals.splice(0).reverse()) {
        await Promise.resolve(close()).catch(() => undefined);
      }
    },
  };
}
