/** Thrown when work is not done within its time. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Tells work whether its time is over. It must then change nothing more. */
export interface Deadline {
  /** Aborted when the time is over. Most work never asks for it, so it is made when it is first asked for. */
  readonly signal: AbortSignal;
  /** @throws {DeadlineError} when the time is over */
  readonly throwIfOver: () => void;
}

/**
 * Waits for the work, but no longer than the given milliseconds. So when AWS does not answer, the client gets the
 * 500 of docs/api.md 11.5 from us, and not another body from API Gateway.
 *
 * Work that gives its value without a promise waits for nothing, so it takes no timer: where requests come one at a
 * time, a timer takes longer than all else that `volumes` does for a token that it has seen.
 *
 * @throws {DeadlineError} when the time is over; the result of the work is then ignored
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
    // After a late settlement, all three calls change nothing.
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
