/** The time of an emulator and of its functions. A test can move the time ahead while the functions run. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many milliseconds the time is ahead: one number, which all threads share. */
  readonly ahead: Float64Array;
  /**
   * Moves the time ahead. Timers do not notice: what is due by the new time happens when the emulator next looks. An
   * invocation that runs may time out.
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

/** A time as AWS writes it in most places: ISO 8601, in whole seconds. */
export function isoSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
