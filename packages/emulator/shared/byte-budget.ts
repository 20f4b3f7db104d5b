/** Gives bytes back. A second call does nothing. */
export type Release = () => void;

/** Memory that many requests share. Who finds too little left waits for others to give theirs back. */
export interface ByteBudget {
  /**
   * Takes bytes, in the order of the calls. More than the whole budget counts as all of it, so that nobody waits for
   * ever.
   *
   * @param signal ends the waiting of one who needs the bytes no more
   * @throws {unknown} the reason of the signal
   */
  readonly take: (bytes: number, signal?: AbortSignal) => Promise<Release>;
  /** Bytes that are taken. */
  readonly taken: () => number;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/** @param size bytes that may be taken at the same time */
export function createByteBudget(size: number): ByteBudget {
  const queue = new Set<Waiting>();
  let taken = 0;
  const serve = () => {
    for (const waiting of queue) {
      if (taken + waiting.bytes > size) {
        return;
      }
      queue.delete(waiting);
      taken += waiting.bytes;
      waiting.go();
    }
  };
  const release = (bytes: number): Release => {
    let left = bytes;
    return () => {
      taken -= left;
      left = 0;
      serve();
    };
  };
  return {
    taken: () => taken,
    take: async (wanted, signal) => {
      signal?.throwIfAborted();
      const bytes = Math.min(wanted, size);
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          queue.delete(waiting);
          reject(signal?.reason);
          serve();
        };
        const go = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const waiting = { bytes, go };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.add(waiting);
        serve();
      });
      return release(bytes);
    },
  };
}
