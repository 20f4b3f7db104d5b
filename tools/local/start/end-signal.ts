/**
 * With npm, one Ctrl-C sends two signals: one from the terminal and one from npm. A second signal within this time counts
 * as the same request.
 */
const sameRequestMilliseconds = 500;

/** Maximum time for a clean end. */
const endMilliseconds = 10_000;

/**
 * Returns a signal that is aborted when the process is asked to end. A second request, or a clean end that
 * exceeds the limit, ends the process by force. No data is lost: the state on disk is consistent at any
 * moment.
 */
export function endSignal(target: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      controller.abort();
      setTimeout(() => target.exit(1), endMilliseconds).unref();
    } else if (performance.now() - askedAt > sameRequestMilliseconds) {
      target.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    target.on(signal, onSignal);
  }
  return controller.signal;
}
