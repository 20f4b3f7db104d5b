import type { TextStream } from './output.ts';

/** Says how far a long command is, in units that are no bytes. */
export interface CountProgress {
  /** Sets how many are done. */
  update(done: number): void;
  /** Takes the line of a terminal away. */
  finish(): void;
}

/** A short command needs no line. */
const firstLineMilliseconds = 1_000;

/** Other streams get a line this often. */
const plainLineMilliseconds = 10_000;

const redrawMilliseconds = 100;

/**
 * Makes a progress display: one line that is redrawn on a terminal, a plain line every 10 s elsewhere.
 *
 * @param text the line for a number
 * @param now a clock in milliseconds, from any starting point
 */
export function createCountProgress(
  stream: TextStream,
  text: (done: number) => string,
  now: () => number = () => performance.now(),
): CountProgress {
  const isTerminal = stream.isTTY === true;
  const pause = isTerminal ? redrawMilliseconds : plainLineMilliseconds;
  let next = now() + (isTerminal ? firstLineMilliseconds : plainLineMilliseconds);
  let drawn = false;
  return {
    update(done) {
      if (now() < next) {
        return;
      }
      next = now() + pause;
      drawn = isTerminal;
      stream.write(isTerminal ? `\r\u001b[2K${text(done)}` : `${text(done)}\n`);
    },
    finish() {
      if (drawn) {
        stream.write('\r\u001b[2K');
        drawn = false;
      }
    },
  };
}
