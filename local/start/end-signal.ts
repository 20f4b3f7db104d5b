/**
 * npm passes Ctrl-C on to a process that the terminal has told already: two signals in quick succession are one
 * wish.
 */
const sameWishMilliseconds = 500;

/** Longest time for a clean end. */
const endMilliseconds = 10_000;

/**
 * Turns the signals that ask a process to end into one that code can wait for. Whoever asks again, or waits too long,
 * ends it by force: the state on disk is good at any moment.
 */
export function endSignal(target: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt !== undefined && performance.now() - askedAt > sameWishMilliseconds) {
      target.exit(130);
    }
    if (askedAt !== undefined) {
      return;
    }
    askedAt = performance.now();
    controller.abort();
    setTimeout(() => target.exit(1), endMilliseconds).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    target.on(signal, onSignal);
  }
  return controller.signal;
}
