import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AlarmFault } from '../../support/alarm-faults/alarm-fault.ts';
import { alarmFaults, faultyStacks } from '../../support/alarm-faults/all-faults.ts';
import { type FaultyStack, startFaultyStack } from '../../support/alarm-faults/faulty-stack.ts';
import { playFault } from '../../support/alarm-faults/play.ts';

/**
 * Each alarm of the template goes off by a real fault, with those that follow from it and no other. Exactly one of them
 * notifies somebody, and all are quiet again when the fault is mended. `npm run test:long -- alarms` says how long each
 * takes.
 */

const timeout = 60_000;

describe.each([
  ['of a stack with the usual limits', 'usual'],
  ['of a stack that throttles soon', 'scarce'],
] as const)('an alarm %s', (_, kind) => {
  const faults = alarmFaults.filter(({ stack }) => stack === kind);
  let faulty: FaultyStack;

  beforeAll(async () => {
    faulty = await startFaultyStack(faultyStacks[kind]);
    await faulty.evaluate();
  }, timeout);
  afterAll(() => faulty?.close());

  test.each(faults.map((fault) => [fault.alarm, fault.fault, fault] as const))(
    '%s: %s',
    async (_alarm, _fault, fault) => {
      expect(await playFault(faulty, fault)).toEqual({
        raised: expectedAlarms(fault),
        notified: [`${fault.page} ALARM`],
        notifiedAfter: [`${fault.page} OK`],
        left: [],
      });
    },
    timeout,
  );
});

function expectedAlarms({ alarm, follows, page }: AlarmFault): readonly string[] {
  return [...new Set([alarm, ...follows, page])].toSorted();
}
