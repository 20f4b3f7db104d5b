/** Thrown when work is not done within its time. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * Waits for the work, but no longer than the given milliseconds. So when AWS does not answer, the client gets the
 * 500 of docs/api.md 11.5 from us, and not another body from API Gateway.
 *
 * @param work gets a signal that is aborted when the time is over; it must then change nothing more
 * @throws {DeadlineError} when the time is over; the result of the work is then ignored
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
