/** Thrown if work exceeds its time. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Tells work that its time is over. The work must then change no more data. */
export interface Deadline {
  /** Signal that aborts at the deadline. Created on first use, because most work does not use it. */
  readonly signal: AbortSignal;
  /** @throws {DeadlineError} if the time is over */
  readonly throwIfOver: () => void;
}

/**
 * Waits for the work, but no longer than the given milliseconds. So if AWS does not respond, the client gets
 * the 500 of docs/api.md 11.5 from the service, and not another body from API Gateway.
 *
 * Work that returns its value without a promise needs no timer. For sequential requests, a timer takes longer
 * than all other work of `volumes` for a cached token.
 *
 * @throws {DeadlineError} if the time is over; the result of the work is then ignored
 */
export async function withinDeadline<Value>(
  milliseconds: number,
  work: (deadline: Deadline) => Value | Promise<Value>,
): Promise<Value> {
  let controller: AbortController | undefined;
  let over: DeadlineError | undefined;
  const deadline: Deadline = {
    get signal() {
      controller ??= new AbortController();
      if (over !== undefined) {
        controller.abort(over);
      }
      return controller.signal;
    },
    throwIfOver: () => {
      if (over !== undefined) {
        throw over;
      }
    },
  };
  const working = work(deadline);
  if (!(working instanceof Promise)) {
    return working;
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      over = new DeadlineError(`Not done within ${milliseconds} ms`);
      reject(over);
      controller?.abort(over);
    }, milliseconds);
    // After a late settlement, all three calls do nothing.
    working.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
