/**
 * Lets a command say something when it is stopped, by Ctrl-C or by another process. Afterwards the signal ends the
 * process as it would have without this, so that a shell sees exit code 130 (128 and the number of SIGINT).
 *
 * @returns a function that removes the handlers again
 */
export function onInterrupt(say: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    stop();
    say();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of signals) {
      process.off(signal, end);
    }
  };
  for (const signal of signals) {
    process.once(signal, end);
  }
  return stop;
}

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
