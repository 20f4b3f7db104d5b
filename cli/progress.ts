import { formatBytes, formatSeconds } from './text.ts';

/** Where progress is drawn: `process.stderr`, or anything that takes text. */
export interface ProgressStream {
  write(text: string): unknown;
  /** On a terminal one line is redrawn; elsewhere a few plain lines are written. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface ProgressOptions {
  /** What moves, for people: `Uploading orders.csv`. */
  readonly label: string;
  /** Bytes in all. */
  readonly total: number;
  readonly stream: ProgressStream;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
}

export interface Progress {
  /** Says how many bytes are done in all (not how many more). Cheap: may be called for every chunk. */
  update(done: number): void;
  /** Draws the last state and ends the line. Further calls do nothing. */
  finish(): void;
}

/** A redraw is noticed at ten a second; more would only cost time. */
const redrawMilliseconds = 100;

/** Plain lines: one for each quarter, and in between when nothing was said for this long. */
const plainLineMilliseconds = 10_000;

/** Makes a progress display with rate and time left: a bar on a terminal, plain lines elsewhere. */
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
      if (finished) return;
      done = value;
      draw(reading(), false);
    },
    finish() {
      if (finished) return;
      finished = true;
      draw(reading(), true);
    },
  };
}

/** A progress that draws nothing. */
export const noProgress: Progress = { update: () => undefined, finish: () => undefined };

/** Bytes, and milliseconds since the start. */
interface Reading {
  readonly done: number;
  readonly total: number;
  readonly elapsed: number;
}

type Draw = (reading: Reading, last: boolean) => void;

function barDrawer({ label, stream }: ProgressOptions): Draw {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (reading, last) => {
    if (!last && reading.elapsed - drawnAt < redrawMilliseconds) return;
    drawnAt = reading.elapsed;
    const line = renderBar(label, reading, last, stream.columns || 80);
    stream.write(`\r\u001b[2K${line}${last ? '\n' : ''}`);
  };
}

/** One line that fits the width: label, bar, percent, bytes, rate, time left. */
export function renderBar(label: string, reading: Reading, last: boolean, columns: number): string {
  const facts = ` ${percent(reading)} ${describe(reading, last)}`;
  const room = columns - 1 - facts.length;
  const name = label.length > room ? `${label.slice(0, Math.max(room - 1, 0))}…` : label;
  const width = Math.min(room - name.length - 3, 30);
  if (width < 5) return `${name}${facts}`.slice(0, Math.max(columns - 1, 1));
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
    // The end is said once: by the update that reaches it, or else by finish(), if that has more to tell.
    if (last ? reading.done === written : reached === quarter && !overdue) return;
    quarter = reached;
    written = reading.done;
    writtenAt = reading.elapsed;
    stream.write(`${label}: ${percent(reading).trim()} ${describe(reading, last || reached === 4)}\n`);
  };
}

function fraction({ done, total }: Reading): number {
  if (total <= 0) return 1;
  return Math.min(Math.max(done / total, 0), 1);
}

function percent(reading: Reading): string {
  return `${Math.floor(fraction(reading) * 100)}%`.padStart(4);
}

/** `1.0 MiB of 5.0 MiB, 2.0 MiB/s, 2.0 s left`; at the end the time that it took; of nothing no rate. */
function describe(reading: Reading, last: boolean): string {
  const { done, total, elapsed } = reading;
  const amount = `${formatBytes(done)} of ${formatBytes(total)}`;
  const seconds = elapsed / 1000;
  if (done <= 0) return amount;
  if (last) return `${amount}, ${formatBytes(done / Math.max(seconds, 0.001))}/s, ${formatSeconds(seconds)}`;
  if (seconds <= 0) return amount;
  const rate = done / seconds;
  return `${amount}, ${formatBytes(rate)}/s, ${formatSeconds(Math.max(total - done, 0) / rate)} left`;
}
