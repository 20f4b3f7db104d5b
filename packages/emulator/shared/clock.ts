/** The time of an emulator and of its functions. A test can move it ahead while they run. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How many milliseconds it is ahead: one number, which threads share. */
  readonly ahead: Float64Array;
  /**
   * Moves the time ahead. Timers go on as they were: what is due by the new time happens when it is next looked at.
   * Invocations that run may be out of time.
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
