import type { Measure } from './alarm-measure.ts';
import type { AlarmState } from './alarm-rule.ts';
import { type MetricStore, minute } from './metric-store.ts';

export type Comparison = keyof typeof comparisons;

/** What AWS says of a breaching value, after "was" or "were". */
const comparisons = {
  GreaterThanThreshold: 'greater than',
  GreaterThanOrEqualToThreshold: 'greater than or equal to',
  LessThanThreshold: 'less than',
  LessThanOrEqualToThreshold: 'less than or equal to',
} as const;

export type MissingData = 'missing' | 'ignore' | 'breaching' | 'notBreaching';

export interface AlarmSettings {
  readonly measure: Measure;
  /** Milliseconds. */
  readonly period: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly threshold: number;
  readonly comparison: Comparison;
  readonly missingData: MissingData;
}

/** What an evaluation found. */
export interface Verdict {
  readonly state: AlarmState;
  readonly reason: string;
}

interface DataPoint {
  readonly start: number;
  readonly value: number;
}

/**
 * Periods before the evaluated ones that are looked at when data is missing. AWS does not say how many there are. Its
 * example has five for an alarm of three periods ("How alarm state is evaluated when data is missing").
 */
const morePeriods = 2;

/** Evaluates an alarm at a time, in milliseconds since the epoch. */
export function evaluateAlarm(
  alarm: AlarmSettings,
  store: Pick<MetricStore, 'summarize'>,
  now: number,
  state: AlarmState,
): Verdict {
  const points = readPoints(alarm, store, now);
  const wanted = alarm.evaluationPeriods;
  const evaluated = points.slice(-wanted);
  const missing = wanted - evaluated.length;
  if (points.length === 0) {
    return withoutData(alarm, state);
  }
  const breaching = evaluated.filter(({ value }) => isBreaching(alarm, value));
  const filled = breaching.length + (alarm.missingData === 'breaching' ? missing : 0);
  if (filled >= alarm.datapointsToAlarm) {
    return verdict('ALARM', alarm, evaluated, breaching);
  }
  const inDoubt = missing > 0 && (alarm.missingData === 'missing' || alarm.missingData === 'ignore');
  if (inDoubt && breaching.length === evaluated.length) {
    return {
      state: stateInDoubt(alarm, evaluated, now, state),
      reason: reasonOf(alarm, evaluated, breaching),
    };
  }
  return verdict('OK', alarm, evaluated, breaching);
}

/**
 * All that is known is breaching, and it is too little. The alarm goes off only when the oldest of it is as old as the
 * data points that are needed ("Avoiding premature transitions to alarm state").
 */
function stateInDoubt(
  alarm: AlarmSettings,
  [oldest]: readonly DataPoint[],
  now: number,
  state: AlarmState,
): AlarmState {
  const age = oldest === undefined ? 0 : Math.ceil((endOf(alarm, now) - oldest.start) / alarm.period);
  return alarm.missingData === 'missing' && age >= alarm.datapointsToAlarm ? 'ALARM' : state;
}

function withoutData({ missingData, evaluationPeriods }: AlarmSettings, state: AlarmState): Verdict {
  const unknown = `${evaluationPeriods} ${evaluationPeriods === 1 ? 'datapoint was' : 'datapoints were'} unknown`;
  switch (missingData) {
    case 'missing':
      return { state: 'INSUFFICIENT_DATA', reason: `Insufficient Data: ${unknown}.` };
    case 'ignore':
      return { state, reason: `${unknown}, and the alarm ignores missing data.` };
    case 'breaching':
      return { state: 'ALARM', reason: `${unknown}, and missing data is treated as [Breaching].` };
    case 'notBreaching':
      return { state: 'OK', reason: `${unknown}, and missing data is treated as [NonBreaching].` };
  }
}

/** The data points of the evaluated periods and some more, the oldest first. */
function readPoints(
  { measure, period, evaluationPeriods, ...alarm }: AlarmSettings,
  store: Pick<MetricStore, 'summarize'>,
  now: number,
): DataPoint[] {
  const end = endOf(alarm, now);
  const count = evaluationPeriods + morePeriods;
  return Array.from({ length: count }, (_, index) => end - (count - index) * period).flatMap((start) => {
    const value = measure(store, { from: start, until: start + period });
    return value === undefined ? [] : [{ start, value }];
  });
}

/**
 * Where the last period ends. The minute that runs counts, so that an alarm goes off as soon as its fault shows. AWS
 * sees a value about a minute later. For "less than" only whole minutes count: half a minute would look like half the
 * traffic.
 */
function endOf({ comparison }: Pick<AlarmSettings, 'comparison'>, now: number): number {
  const whole = Math.floor(now / minute) * minute;
  return comparison.startsWith('Less') ? whole : whole + minute;
}

function isBreaching({ comparison, threshold }: AlarmSettings, value: number): boolean {
  switch (comparison) {
    case 'GreaterThanThreshold':
      return value > threshold;
    case 'GreaterThanOrEqualToThreshold':
      return value >= threshold;
    case 'LessThanThreshold':
      return value < threshold;
    case 'LessThanOrEqualToThreshold':
      return value <= threshold;
  }
}

function verdict(
  state: AlarmState,
  alarm: AlarmSettings,
  evaluated: readonly DataPoint[],
  breaching: readonly DataPoint[],
): Verdict {
  return { state, reason: reasonOf(alarm, evaluated, breaching) };
}

/** In the words of AWS, with the value that says most. */
function reasonOf(
  { comparison, threshold, evaluationPeriods }: AlarmSettings,
  evaluated: readonly DataPoint[],
  breaching: readonly DataPoint[],
): string {
  const point = breaching.at(-1) ?? evaluated.at(-1);
  const shown = point === undefined ? '' : ` [${point.value} (${new Date(point.start).toISOString()})]`;
  const not = breaching.length === 0 ? 'not ' : '';
  const count = breaching.length === 0 ? evaluated.length : breaching.length;
  return (
    `Threshold Crossed: ${count} out of the last ${evaluationPeriods} datapoints${shown} ` +
    `was ${not}${comparisons[comparison]} the threshold (${threshold}).`
  );
}

/** Whether the emulator knows a comparison. */
export function isComparison(name: string): name is Comparison {
  return Object.hasOwn(comparisons, name);
}
