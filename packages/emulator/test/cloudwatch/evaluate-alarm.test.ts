import { type AlarmSettings, evaluateAlarm } from '../../cloudwatch/evaluate-alarm.ts';
import { createMetricStore, minute } from '../../cloudwatch/metric-store.ts';

const now = Date.parse('2026-11-22T12:00:30Z');
const metric = { namespace: 'N', name: 'M', dimensions: {} };

/** @param values values of the minutes, newest last; undefined is missing */
function evaluate(values: readonly (number | undefined)[], changes: Partial<AlarmSettings> = {}) {
  const store = createMetricStore();
  for (const [index, value] of values.entries()) {
    const at = now - (values.length - 1 - index) * minute;
    store.record({ ...metric, values: value === undefined ? [] : [value], at });
  }
  const settings: AlarmSettings = {
    measure: (from, span) => {
      const found = from.find({ ...metric, ...span });
      return found.length === 0 ? undefined : found.reduce((sum, value) => sum + value, 0);
    },
    period: minute,
    threshold: 5,
    ...changes,
  };
  return evaluateAlarm(settings, store, now);
}

it('an alarm is raised at its threshold and above', () => {
  expect([4.9, 5, 6].map((value) => evaluate([value]).state)).toEqual(['OK', 'ALARM', 'ALARM']);
});

it('a period includes the current minute', () => {
  expect(evaluate([2, 2, 2], { period: 3 * minute }).state).toBe('ALARM');
  expect(evaluate([2, 2, 2], { period: 2 * minute }).state).toBe('OK');
});

it('an alarm is not raised without data in its last period', () => {
  expect(evaluate([9, undefined]).state).toBe('OK');
});
