/**
 * Waits until a server is asked to end, by Ctrl-C or by another process. That is its usual end, and no failure.
 *
 * @returns what to wait for, and a function that removes the handlers again
 */
export function untilInterrupted(): { readonly wait: Promise<void>; readonly stop: () => void } {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let stop = () => {};
  const wait = new Promise<void>((resolve) => {
    const end = () => resolve();
    for (const signal of signals) {
      process.on(signal, end);
    }
    stop = () => {
      for (const signal of signals) {
        process.off(signal, end);
      }
    };
  });
  return { wait, stop };
}
