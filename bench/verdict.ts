import type { Measured, Measurement } from './measurement.ts';
import { type Interval, median, medianInterval } from './statistics.ts';

/** The targets that held when a person last ran `npm run bench -- --record`, by the id of the measurement. */
export type HeldTargets = Readonly<Record<string, HeldTarget>>;

export interface HeldTarget {
  readonly target: number;
  /** What was measured then. For a person only: figures of two runs are never compared. */
  readonly figure: number;
}

/** What one run says about one measurement. */
export interface Verdict {
  readonly measurement: Measurement;
  /** Median of the samples. */
  readonly figure: number;
  /** 95 % interval of the median: the noise of this run. */
  readonly noise: Interval;
  /** Whether the figure reaches the target. */
  readonly holds: boolean;
  /** Whether the record says that a target at least as strict held before. */
  readonly heldBefore: boolean;
  /** Whether the target held before, and is now missed by more than the noise. */
  readonly lost: boolean;
  readonly measured: Measured;
}

/** Judges one measurement. See {@link Verdict}. */
export function judge(
  measurement: Measurement,
  measured: Measured,
  held: HeldTargets,
  random: () => number,
): Verdict {
  const { id, target } = measurement;
  const figure = median(measured.samples);
  if (!Number.isFinite(figure)) {
    throw new Error(`The measurement ${id} has no figure: one of its samples is not a number`);
  }
  const noise = medianInterval(measured.samples, random);
  const record = Object.hasOwn(held, id) ? held[id] : undefined;
  const heldBefore = record !== undefined && reaches(measurement, record.target, target);
  // The end of the interval that is nearest to the target.
  const best = measurement.better === 'lower' ? noise.low : noise.high;
  return {
    measurement,
    measured,
    figure,
    noise,
    heldBefore,
    holds: reaches(measurement, figure, target),
    lost: heldBefore && !reaches(measurement, best, target),
  };
}

/**
 * The record after this run. It gains what holds, and loses what {@link Verdict.lost} says. A target that is missed by
 * less than the noise stays as it was recorded, and so does what was not measured.
 */
export function recordHeld(held: HeldTargets, verdicts: readonly Verdict[]): HeldTargets {
  const record = new Map(Object.entries(held));
  for (const { measurement, figure, holds, lost } of verdicts) {
    if (holds) {
      record.set(measurement.id, { target: measurement.target, figure: Number(figure.toFixed(3)) });
    } else if (lost) {
      record.delete(measurement.id);
    }
  }
  return Object.fromEntries([...record].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function reaches({ better }: Measurement, figure: number, target: number): boolean {
  return better === 'lower' ? figure <= target : figure >= target;
}
