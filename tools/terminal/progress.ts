import { formatBytes, formatSeconds } from '../operator/text.ts';
import type { TextStream } from './output.ts';

interface ProgressOptions {
  /** What is transferred, for people: `Uploading orders.csv`. */
  readonly label: string;
  /** Total size in bytes. */
  readonly total: number;
  /** A terminal gets one line that is redrawn; other streams get a few plain lines. */
  readonly stream: TextStream;
  /** A clock in milliseconds, from any starting point. */
  readonly now?: () => number;
}

export interface Progress {
  /** Sets the total number of bytes transferred so far. Cheap enough to call for every chunk. */
  update(done: number): void;
  /** Draws the last state and ends the line. Later calls do nothing. */
  finish(): void;
}

/** Ten redraws a second look smooth. */
const redrawMilliseconds = 100;

/** Plain lines appear at each quarter, and after this long without a line. */
const plainLineMilliseconds = 10_000;

/** Makes a progress display with rate and remaining time: a bar on a terminal, plain lines elsewhere. */
export function createProgress(options: ProgressOptions): Progress {
  const now = options.now ?? (() => performance.now());
  const startedAt = now();
  const draw = options.stream.isTTY ? barDrawer(options) : lineDrawer(options);
  let done = 0;
  let finished = false;
  const reading = (): Reading => ({ done, total: options.total, elapsed: now() - startedAt });
  draw(reading(), false);
  return {
    update(value) {
      if (finished) {
        return;
      }
      done = value;
      draw(reading(), false);
    },
    finish() {
      if (finished) {
        return;
      }
      finished = true;
      draw(reading(), true);
    },
  };
}

/** A progress that draws nothing. */
export const noProgress: Progress = { update: () => undefined, finish: () => undefined };

/** Bytes transferred, bytes in total, and milliseconds since the start. */
interface Reading {
  readonly done: number;
  readonly total: number;
  readonly elapsed: number;
}

type Draw = (reading: Reading, last: boolean) => void;

function barDrawer({ label, stream }: ProgressOptions): Draw {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (reading, last) => {
    if (!last && reading.elapsed - drawnAt < redrawMilliseconds) {
      return;
    }
    drawnAt = reading.elapsed;
    const line = renderBar(label, reading, last, stream.columns || 80);
    stream.write(`\r\u001b[2K${line}${last ? '\n' : ''}`);
  };
}

/** One line that fits the width: label, bar, percentage, bytes, rate, remaining time. */
function renderBar(label: string, reading: Reading, last: boolean, columns: number): string {
  const facts = ` ${percent(reading)} ${describe(reading, last)}`;
  const room = columns - 1 - facts.length;
  const name = label.length > room ? `${label.slice(0, Math.max(room - 1, 0))}…` : label;
  const width = Math.min(room - name.length - 3, 30);
  if (width < 5) {
    return `${name}${facts}`.slice(0, Math.max(columns - 1, 1));
  }
  const filled = Math.round(width * fraction(reading));
  return `${name} [${'#'.repeat(filled)}${'-'.repeat(width - filled)}]${facts}`;
}

function lineDrawer({ label, stream }: ProgressOptions): Draw {
  let quarter = -1;
  let written = -1;
  let writtenAt = 0;
  return (reading, last) => {
    const reached = Math.floor(fraction(reading) * 4);
    const overdue = reading.elapsed - writtenAt >= plainLineMilliseconds;
    // The last line appears once: from the update that reaches the total, or from finish() when bytes were added since.
    if (last ? reading.done === written : reached === quarter && !overdue) {
      return;
    }
    quarter = reached;
    written = reading.done;
    writtenAt = reading.elapsed;
    stream.write(`${label}: ${percent(reading).trim()} ${describe(reading, last || reached === 4)}\n`);
  };
}

function fraction({ done, total }: Reading): number {
  if (total <= 0) {
    return 1;
  }
  return Math.min(Math.max(done / total, 0), 1);
}

function percent(reading: Reading): string {
  return `${Math.floor(fraction(reading) * 100)}%`.padStart(4);
}

/** `1.0 MiB of 5.0 MiB, 2.0 MiB/s, 2.0 s left`. The last line has the time taken. Without bytes there is no rate. */
function describe(reading: Reading, last: boolean): string {
  const { done, total, elapsed } = reading;
  const amount = `${formatBytes(done)} of ${formatBytes(total)}`;
  const seconds = elapsed / 1000;
  if (done <= 0) {
    return amount;
  }
  if (last) {
    return `${amount}, ${formatBytes(done / Math.max(seconds, 0.001))}/s, ${formatSeconds(seconds)}`;
  }
  if (seconds <= 0) {
    return amount;
  }
  const rate = done / seconds;
  return `${amount}, ${formatBytes(rate)}/s, ${formatSeconds(Math.max(total - done, 0) / rate)} left`;
}
