import { describe, expect, test } from 'vitest';
import { newKey } from '../../support/signing-keys.ts';
import { errorNamed, failing, functionArn, keyHandler, wanted } from './key-handler.ts';

describe('the rotation schedule', () => {
  test('is set after the first keys are made, with the function that is invoked', async () => {
    const { schedule, scheduled, store, deploy, pauses } = keyHandler();
    const { write } = schedule;
    schedule.write = async (one) => {
      expect(store.current).toBeDefined();
      return write(one);
    };
    expect(await deploy()).toBeUndefined();
    expect(scheduled).toEqual([wanted]);
    expect(pauses).toEqual([]);
  });

  test('is set only if it is another one', async () => {
    for (const [before, changed] of [
      [wanted, false],
      [{ functionArn, days: 30 }, true],
      [{ functionArn: `${functionArn}-of-another-stack`, days: 90 }, true],
    ] as const) {
      const { scheduled, deploy, lines } = keyHandler();
      scheduled.push(before);
      expect(await deploy()).toBeUndefined();
      expect(scheduled).toEqual(changed ? [before, wanted] : [before]);
      expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'scheduleEnsured', days: 90, changed });
    }
  });

  test('is set in a later attempt after a failure that passes', async () => {
    for (const name of [
      'AccessDeniedException',
      'InvalidRequestException',
      'InvalidParameterException',
      'TimeoutError',
    ]) {
      const { schedule, scheduled, deploy, pauses } = keyHandler();
      schedule.write = failing(3, errorNamed(name), schedule.write);
      expect(await deploy(), name).toBeUndefined();
      expect(scheduled).toEqual([wanted]);
      expect(pauses).toEqual([1_000, 2_000, 4_000]);
    }
  });

  test('is set again when Secrets Manager does not show it yet', async () => {
    const { schedule, scheduled, deploy, pauses } = keyHandler();
    schedule.read = async () => scheduled[1];
    expect(await deploy()).toBeUndefined();
    expect(scheduled).toEqual([wanted, wanted]);
    expect(pauses).toEqual([1_000]);
  });

  test('that is refused for another reason fails the deployment immediately', async () => {
    const { schedule, deploy, pauses } = keyHandler();
    schedule.write = failing(1, errorNamed('ValidationException'), schedule.write);
    expect(await deploy()).toBe('ValidationException: see the log of the function');
    expect(pauses).toEqual([]);
  });

  test('shares its minute with the first keys', async () => {
    const { schedule, deploy, store, pauses } = keyHandler();
    const denied = errorNamed('AccessDeniedException');
    Object.assign(store, { readKeySet: failing(5, denied, store.readKeySet) });
    schedule.write = failing(Number.POSITIVE_INFINITY, denied, schedule.write);
    expect(await deploy()).toMatch(/^AccessDeniedException/);
    expect(store.current).toBeDefined();
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThanOrEqual(60_000);
  });
});

describe('a version with AWSPENDING', () => {
  test('is given up before the schedule is set: it would be refused', async () => {
    const { schedule, scheduled, store, deploy, ensure } = keyHandler();
    await ensure();
    store.begin('stuck');
    const { write } = schedule;
    schedule.write = async (one) => {
      expect(store.pending).toBeUndefined();
      return write(one);
    };
    expect(await deploy()).toBeUndefined();
    expect(scheduled).toEqual([wanted]);
  });

  test.each(['empty', 'copy'])('of a test (%s) is waited for, and then taken away', async (pending) => {
    const { schedule, store, deploy, pauses } = keyHandler();
    const { write } = schedule;
    schedule.write = async (one) => {
      store.begin('test');
      if (pending === 'copy') {
        store.values.set('test', store.keys);
      }
      return write(one);
    };
    expect(await deploy()).toBeUndefined();
    expect(store.pending).toBeUndefined();
    expect(pauses).toEqual([250, 500, 1_000, 2_000]);
  });

  test('that is also the current one belongs to no test: nothing is waited for or taken away', async () => {
    const { scheduled, store, deploy, ensure, pauses } = keyHandler();
    await ensure();
    store.pending = store.current;
    scheduled.push(wanted);
    expect(await deploy()).toBeUndefined();
    expect(pauses).toEqual([]);
    expect(store.pending).toBe(store.current);
  });

  test('of a rotation that has prepared its keys is left alone, also if one key of the two is current', async () => {
    const { scheduled, store, deploy, ensure } = keyHandler();
    await ensure();
    scheduled.push(wanted);
    store.begin('rotation');
    const [{ current, next }, fresh] = [store.keys, await newKey()];
    for (const prepared of [
      { current: next, next: fresh },
      { current, next: fresh },
      { current: next, next },
    ]) {
      store.values.set('rotation', prepared);
      expect(await deploy()).toBeUndefined();
      expect(store.pending).toBe('rotation');
    }
  });
});
