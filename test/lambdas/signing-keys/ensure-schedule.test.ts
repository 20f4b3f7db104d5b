import { newKey } from '../../support/signing-keys.ts';
import type { Secrets } from './fake-secrets.ts';
import { errorNamed, fail, functionArn, keyHandler, wanted } from './key-handler.ts';

describe('the rotation schedule', () => {
  test('is set after the first keys are created', async () => {
    const { schedule, scheduled, store, deploy } = keyHandler();
    schedule.before = () => expect(store.current).toBeDefined();
    await deploy();
    expect(scheduled).toEqual([wanted]);
  });

  test.for([
    ['the same', wanted, []],
    ['of another period', { functionArn, days: 30 }, [wanted]],
    ['of another function', { functionArn: `${functionArn}-of-another-stack`, days: 90 }, [wanted]],
  ] as const)('is set if it differs: before it is %s', async ([, before, set]) => {
    const { scheduled, deploy, lines } = keyHandler();
    scheduled.push(before);

    await deploy();

    expect(scheduled).toEqual([before, ...set]);
    const line = { level: 'INFO', message: 'scheduleEnsured', days: 90, changed: set.length > 0 };
    expect(lines.at(-1)).toEqual(line);
  });

  test.for(['AccessDeniedException', 'InvalidRequestException', 'InvalidParameterException', 'TimeoutError'])(
    'is set in a later attempt after %s',
    async (name) => {
      const { schedule, scheduled, deploy, pauses } = keyHandler();
      fail(schedule, 'write', 3, errorNamed(name));

      await deploy();
      expect(scheduled).toEqual([wanted]);
      expect(pauses).toEqual([1_000, 2_000, 4_000]);
    },
  );

  test('is set again when Secrets Manager does not show it yet', async () => {
    const { schedule, scheduled, deploy, pauses } = keyHandler();
    schedule.read = async () => scheduled[1];
    await deploy();
    expect(scheduled).toEqual([wanted, wanted]);
    expect(pauses).toEqual([1_000]);
  });

  test('that is rejected for another reason fails the deployment immediately', async () => {
    const { schedule, deploy, pauses } = keyHandler();
    fail(schedule, 'write', 1, errorNamed('ValidationException'));
    await expect(deploy()).rejects.toThrow('ValidationException: see the log of the function');
    expect(pauses).toEqual([]);
  });

  test('shares its minute with the first keys', async () => {
    const { schedule, deploy, store, pauses } = keyHandler();
    const denied = errorNamed('AccessDeniedException');
    fail(store, 'readKeySet', 5, denied);
    fail(schedule, 'write', Number.POSITIVE_INFINITY, denied);
    await expect(deploy()).rejects.toThrow(/^AccessDeniedException/);
    expect(store.current).toBeDefined();
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThanOrEqual(60_000);
  });
});

describe('a version with AWSPENDING', () => {
  // Secrets Manager would reject the schedule.
  test('ends before the schedule is set', async () => {
    const { schedule, scheduled, store, deploy, ensure } = keyHandler();
    await ensure();
    store.begin('stuck');
    schedule.before = () => expect(store.pending).toBeUndefined();

    await deploy();

    expect(scheduled).toEqual([wanted]);
  });

  test.for([
    ['is empty', () => undefined],
    ['is a copy', (store: Secrets) => store.add('test', store.text)],
  ] as const)('of a test is waited for, and then taken away: it %s', async ([, fill]) => {
    const { schedule, store, deploy, pauses } = keyHandler();
    schedule.before = () => {
      store.begin('test');
      fill(store);
    };

    await deploy();

    expect(store.pending).toBeUndefined();
    expect(pauses).toEqual([250, 500, 1_000, 2_000]);
  });

  test('that is also the current one belongs to no test', async () => {
    const { scheduled, store, deploy, ensure, pauses } = keyHandler();
    await ensure();
    store.pending = store.current;
    scheduled.push(wanted);

    await deploy();

    expect(pauses).toEqual([]);
    expect(store.pending).toBe(store.current);
  });

  test.for([
    ['next', 'fresh'],
    ['current', 'fresh'],
    ['next', 'next'],
  ] as const)('of a rotation to %s and %s keys is left alone', async ([current, next]) => {
    const { scheduled, store, deploy, ensure } = keyHandler();
    await ensure();
    scheduled.push(wanted);
    store.begin('rotation');
    const keys = { ...store.keys, fresh: await newKey() };
    await store.writePending('rotation', { current: keys[current], next: keys[next] });

    await deploy();

    expect(store.pending).toBe('rotation');
  });
});
