import { formatBytes, formatSeconds } from '../operator/text.ts';
import type { TextStream } from './output.ts';

/** Shows the progress of a long command. */
export interface Progress<ActionResult = number> {
  /** Reports the amount done so far. Cheap to call for every chunk. */
  update(done: ActionResult): void;
  /** Removes the line from the terminal. */
  finish(): void;
}

/** Delay before the first line, which a short command does not need. */
const firstLineMilliseconds = 1_000;

/** Minimum time between redraws: ten redraws a second are smooth. */
const redrawMilliseconds = 100;

/**
 * Creates a progress display: one line that is redrawn on a terminal. Other streams get no output.
 *
 * @param text function that returns the line, from the amount done and the seconds since the start
 * @param now clock in milliseconds, from any starting point
 */
export function createProgress<ActionResult = number>(
  stream: TextStream,
  text: (done: ActionResult, seconds: number) => string,
  now: () => number = () => performance.now(),
): Progress<ActionResult> {
  const startedAt = now();
  let next = startedAt + firstLineMilliseconds;
  let drawn = false;
  return {
    update(done) {
      if (!stream.isTTY || now() < next) {
        return;
      }
      next = now() + redrawMilliseconds;
      drawn = true;
      const line = text(done, (now() - startedAt) / 1000);
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns || 80) - 1)}`);
    },
    finish() {
      if (drawn) {
        stream.write('\r\u001b[2K');
        drawn = false;
      }
    },
  };
}

/** Returns the line of a transfer: `Uploading orders.csv: 20%, 1.0 MiB of 5.0 MiB, 2.0 MiB/s, 2.0 s left`. */
export function transferText(label: string, total: number) {
  return (done: number, seconds: number): string => {
    const amount = `${label}: ${Math.floor((100 * done) / total)}%, ${formatBytes(done)} of ${formatBytes(total)}`;
    const rate = done / seconds;
    // The rate is unknown before the first bytes.
    return done === 0
      ? amount
      : `${amount}, ${formatBytes(rate)}/s, ${formatSeconds((total - done) / rate)} left`;
  };
}
