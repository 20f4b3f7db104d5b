import { type MetricStore, minute } from './metric-store.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** Returns the value that an alarm compares, in a span of time; undefined without data. */
export type Measure = (
  store: Pick<MetricStore, 'find'>,
  /** Milliseconds since the epoch; `until` is exclusive. */
  span: { readonly from: number; readonly until: number },
) => number | undefined;

/** An alarm that is raised if the value of one period is greater than or equal to the threshold. */
export interface AlarmSettings {
  readonly measure: Measure;
  /** Milliseconds. */
  readonly period: number;
  readonly threshold: number;
}

/** Result of an evaluation. */
export interface AlarmEvaluation {
  readonly state: AlarmState;
  readonly reason: string;
}

/**
 * Evaluates an alarm as of a time, in milliseconds since the epoch. The current minute counts: an alarm is
 * raised immediately after its fault. AWS raises the alarm about a minute later. Without data in the last
 * period AWS also evaluates older periods, which the emulator does not.
 */
export function evaluateAlarm(
  { measure, period, threshold }: AlarmSettings,
  store: Pick<MetricStore, 'find'>,
  now: number,
): AlarmEvaluation {
  const until = Math.floor(now / minute) * minute + minute;
  const from = until - period;
  const value = measure(store, { from, until });
  return value === undefined
    ? { state: 'OK', reason: '1 datapoint was unknown, and missing data is treated as [NonBreaching].' }
    : compare(value, threshold, new Date(from));
}

/** Compares a value with the threshold and describes the result in the words of AWS. */
function compare(value: number, threshold: number, start: Date): AlarmEvaluation {
  const isBreaching = value >= threshold;
  return {
    state: isBreaching ? 'ALARM' : 'OK',
    reason:
      `Threshold Crossed: 1 out of the last 1 datapoints [${value} (${start.toISOString()})] ` +
      `was ${isBreaching ? '' : 'not '}greater than or equal to the threshold (${threshold}).`,
  };
}
