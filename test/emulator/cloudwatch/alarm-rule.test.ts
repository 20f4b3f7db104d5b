import { describe, expect, it } from 'vitest';
import { type AlarmState, parseAlarmRule } from '../../../emulator/cloudwatch/alarm-rule.ts';

const states: Readonly<Record<string, AlarmState>> = { up: 'ALARM', down: 'OK', new: 'INSUFFICIENT_DATA' };

function holds(rule: string): boolean {
  return parseAlarmRule(rule).holds((alarm) => states[alarm] ?? 'OK');
}

describe('the rule of a composite alarm', () => {
  it.each([
    ['ALARM(up)', true],
    ['ALARM("down")', false],
    ['OK(down)', true],
    ['INSUFFICIENT_DATA(new)', true],
    ['NOT ALARM(down)', true],
    ['ALARM(up) AND ALARM(down)', false],
    ['(ALARM(up) OR ALARM(down)) AND NOT (OK(up))', true],
    ['ALARM(down) AND ALARM(down) OR ALARM(up)', true],
    ['ALARM(up) OR ALARM(up) AND ALARM(down)', true],
    ['TRUE', true],
    ['NOT NOT FALSE', false],
  ])('%s is %s', (rule, expected) => {
    expect(holds(rule)).toBe(expected);
  });

  it('names its alarms, also by ARN and with spaces', () => {
    const arn = 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:one';
    expect(parseAlarmRule(`ALARM("${arn}") OR OK("two words")`).alarms).toEqual([arn, 'two words']);
  });

  it.each([
    '',
    'ALARM',
    'ALARM(',
    'ALARM(up',
    'ALARM(up) ALARM(up)',
    'AT_LEAST(1, ALARM, (up))',
    '(ALARM(up)',
    'toString(up)',
  ])('refuses %s', (rule) => {
    expect(() => parseAlarmRule(rule)).toThrow(/the rule/);
  });
});
