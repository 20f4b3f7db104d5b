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
