/** Thrown when work is not done within its time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Waits for the work, but no longer than the given milliseconds: a request that hangs on AWS is answered by us,
 * with the contract's body, and not cut off by API Gateway with its own.
 *
 * @param work is told by its signal when nobody waits for it any more, so that it starts nothing lasting
 * @throws {DeadlineError} when the time is over; the work's own result is then dropped
 */
export async function withinDeadline<Value>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new DeadlineError(`Not done within ${milliseconds} ms`);
      reject(error);
      over.abort(error);
    }, milliseconds);
  });
  try {
    return await Promise.race([work(over.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
