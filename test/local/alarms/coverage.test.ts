import { describe, expect, test } from 'vitest';
import { alarmFaults, faultyStacks } from '../../support/alarm-faults/all-faults.ts';
import { alarmId } from '../../support/alarm-faults/play.ts';
import { resourcesOf, synthesized } from '../../support/synthesized.ts';

/** A new alarm needs a fault in test/support/alarm-faults. Without one, nobody has seen it go off. */
describe('each alarm of the template', () => {
  const { document } = synthesized({ ...faultyStacks.scarce?.context, alarmEmail: 'operator@example.com' });
  const idsOf = (type: string) => resourcesOf(document, type).map(([logicalId]) => alarmId(logicalId));
  const metricAlarms = idsOf('AWS::CloudWatch::Alarm');
  const compositeAlarms = idsOf('AWS::CloudWatch::CompositeAlarm');

  test('on a metric has a fault that raises it', () => {
    const raised = new Set(alarmFaults.map(({ alarm }) => alarm));
    expect([...raised].toSorted()).toEqual(metricAlarms.toSorted());
  });

  test('on other alarms notifies of some fault', () => {
    const pages = new Set(alarmFaults.map(({ page }) => page));
    expect(compositeAlarms.filter((page) => !pages.has(page))).toEqual([]);
    const known = new Set([...metricAlarms, ...compositeAlarms]);
    expect([...pages].filter((page) => !known.has(page))).toEqual([]);
  });

  test('that follows another one is in the template', () => {
    const known = new Set(metricAlarms);
    expect(alarmFaults.flatMap(({ follows }) => follows).filter((alarm) => !known.has(alarm))).toEqual([]);
  });
});
