import { describe, expect, it } from 'vitest';
import { measureMetric } from '../../../emulator/cloudwatch/alarm-measure.ts';
import {
  type AlarmSettings,
  evaluateAlarm,
  type MissingData,
} from '../../../emulator/cloudwatch/evaluate-alarm.ts';
import { createMetricStore, minute } from '../../../emulator/cloudwatch/metric-store.ts';
import { parseStatistic } from '../../../emulator/cloudwatch/summary.ts';

const now = Date.parse('2026-11-22T12:00:30Z');
const metric = { namespace: 'N', name: 'M', dimensions: {}, unit: undefined };

function settings(changes: Partial<AlarmSettings> = {}): AlarmSettings {
  const statistic = parseStatistic('Sum');
  if (statistic === undefined) {
    throw new Error('no statistic');
  }
  return {
    measure: measureMetric(metric, statistic),
    period: minute,
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    threshold: 0,
    comparison: 'GreaterThanThreshold',
    missingData: 'missing',
    ...changes,
  };
}

/** @param points one for each minute, the newest last: X breaches, 0 does not, - is missing */
function storeOf(points: string) {
  const store = createMetricStore();
  const all = points.split(' ');
  const running = Math.floor(now / minute) * minute;
  all.forEach((point, index) => {
    if (point !== '-') {
      store.record({
        ...metric,
        values: [point === 'X' ? 1 : 0],
        at: running - (all.length - 1 - index) * minute,
      });
    }
  });
  return store;
}

const treatments: readonly MissingData[] = ['missing', 'ignore', 'breaching', 'notBreaching'];

/** The states by each treatment of missing data. The alarm is in a state that no evaluation gives: `keep`. */
function states(points: string, datapointsToAlarm: number): string[] {
  return treatments.map((missingData) => {
    const alarm = settings({ datapointsToAlarm, missingData });
    const [ok, alarmed] = (['OK', 'ALARM'] as const).map(
      (before) => evaluateAlarm(alarm, storeOf(points), now, before).state,
    );
    return ok === alarmed ? String(ok) : 'keep';
  });
}

/** CloudWatch User Guide, "Configuring how CloudWatch alarms treat missing data", its two tables. */
describe('missing data', () => {
  const insufficient = 'INSUFFICIENT_DATA';
  it.each([
    ['0 - X - X', ['OK', 'OK', 'OK', 'OK']],
    ['0 - - - -', ['OK', 'OK', 'OK', 'OK']],
    ['- - - - -', [insufficient, 'keep', 'ALARM', 'OK']],
    ['0 X X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['- - X - -', ['ALARM', 'keep', 'ALARM', 'OK']],
  ])('in %s, for three data points of three', (points, expected) => {
    expect(states(points, 3)).toEqual(expected);
  });

  it.each([
    ['0 - X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 0 X 0 X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 - X - -', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - - 0', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - X -', ['ALARM', 'keep', 'ALARM', 'OK']],
  ])('in %s, for two data points of three', (points, expected) => {
    expect(states(points, 2)).toEqual(expected);
  });

  it('does not raise an alarm on the newest data point alone', () => {
    expect(states('- - - - X', 3)[0]).toBe('keep');
  });
});

describe('an alarm', () => {
  const stateOf = (values: readonly number[], changes: Partial<AlarmSettings>) => {
    const store = createMetricStore();
    for (const [index, value] of values.entries()) {
      store.record({ ...metric, values: [value], at: now - (values.length - 1 - index) * minute });
    }
    return evaluateAlarm(
      settings({ evaluationPeriods: 1, datapointsToAlarm: 1, ...changes }),
      store,
      now,
      'OK',
    );
  };

  it.each([
    ['GreaterThanThreshold', 5, ['OK', 'OK', 'ALARM']],
    ['GreaterThanOrEqualToThreshold', 5, ['OK', 'ALARM', 'ALARM']],
  ] as const)('compares by %s', (comparison, threshold, expected) => {
    expect([4, 5, 6].map((value) => stateOf([value], { comparison, threshold }).state)).toEqual(expected);
  });

  it('compares by less than over whole minutes alone', () => {
    const changes = { comparison: 'LessThanThreshold', threshold: 5, missingData: 'notBreaching' } as const;
    expect(stateOf([9, 1], changes).state).toBe('OK');
    expect(stateOf([1, 9], changes).state).toBe('ALARM');
    expect(stateOf([5, 9], { ...changes, comparison: 'LessThanOrEqualToThreshold' }).state).toBe('ALARM');
  });

  it('takes the values of a period together', () => {
    expect(stateOf([2, 2, 2], { period: 3 * minute, threshold: 5 }).state).toBe('ALARM');
    expect(stateOf([2, 2, 2], { period: 2 * minute, threshold: 5 }).state).toBe('OK');
  });

  it('says why, with the value and the threshold', () => {
    expect(stateOf([7], { threshold: 5 }).reason).toBe(
      'Threshold Crossed: 1 out of the last 1 datapoints [7 (2026-11-22T12:00:00.000Z)] was greater than the threshold (5).',
    );
    expect(stateOf([3], { threshold: 5 }).reason).toContain('was not greater than the threshold (5)');
  });
});
