/** Clock of an emulator and of its functions. A test can move the time ahead while the functions run. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds by which the time is ahead: one number, shared by all threads. */
  readonly ahead: Float64Array;
  /**
   * Moves the time ahead. Timers are not affected: events that are due by the new time happen at the
   * emulator's next check. A running invocation may time out.
   */
  readonly advance: (milliseconds: number) => void;
}

/** @param base milliseconds since the epoch */
export function createClock(base: () => number = Date.now): Clock {
  const ahead = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const read = () => ahead[0] ?? 0;
  return {
    now: () => base() + read(),
    ahead,
    advance: (milliseconds) => {
      ahead[0] = read() + milliseconds;
    },
  };
}

/** Formats a time as AWS does in most places: ISO 8601, in whole seconds. */
export function isoSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
