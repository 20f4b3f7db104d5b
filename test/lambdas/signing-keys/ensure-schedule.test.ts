import { describe, expect, test } from 'vitest';
import { mayBeScheduledLater } from '../../../lambdas/signing-keys/ensure-schedule.ts';
import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import { FakeSchedule, functionArn } from './fake-schedule.ts';
import { setUp } from './set-up.ts';

const wanted = { functionArn, days: 90 };

/** A first deployment, with a clock that waits pass. */
function deployment(schedule = new FakeSchedule()) {
  const setup = setUp();
  const started = setup.time();
  const answers: (string | undefined)[] = [];
  const handler = createKeyHandler({
    ...setup.dependencies,
    signingKeySecretArn: 'arn',
    schedule,
    rotationDays: wanted.days,
    sleep: async (milliseconds) => setup.pass(milliseconds / 1000),
    answerCustomResource: async (_, failure) => void answers.push(failure),
  });
  return {
    ...setup,
    schedule,
    /** @returns why the deployment failed */
    deploy: async () => {
      const request = {
        RequestType: 'Create',
        ResponseURL: 'https://cloudformation.example.com/',
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'FirstSigningKey',
      };
      await handler(request, { invokedFunctionArn: functionArn });
      return answers.at(-1);
    },
    seconds: () => (setup.time() - started) / 1000,
  };
}

function errorNamed(name: string, message = 'of AWS'): Error {
  return Object.assign(new Error(message), { name });
}

/** Refuses the first writes. */
function refusing(times: number, error: Error): FakeSchedule {
  const schedule = new FakeSchedule();
  let left = times;
  schedule.beforeWrite = async () => {
    left -= 1;
    if (left >= 0) {
      throw error;
    }
  };
  return schedule;
}

describe('the rotation schedule', () => {
  test('is set after the first keys are made, with the function that is invoked', async () => {
    const { schedule, store, deploy, seconds } = deployment();
    schedule.beforeWrite = async () => expect(store.current).toBeDefined();
    expect(await deploy()).toBeUndefined();
    expect(schedule.writes).toEqual([wanted]);
    expect(seconds()).toBe(0);
  });

  test('is set only if it is another one', async () => {
    for (const [before, changed] of [
      [wanted, false],
      [{ functionArn, days: 30 }, true],
      [{ functionArn: `${functionArn}-of-another-stack`, days: 90 }, true],
    ] as const) {
      const { schedule, deploy, lines } = deployment();
      schedule.schedule = before;
      expect(await deploy()).toBeUndefined();
      expect(schedule.writes).toEqual(changed ? [wanted] : []);
      expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'scheduleEnsured', days: 90, changed });
    }
  });

  test('is set in a later attempt after a failure that passes', async () => {
    for (const error of [
      errorNamed('AccessDeniedException'),
      errorNamed('InvalidRequestException', "A previous rotation isn't complete."),
      errorNamed('InvalidParameterException'),
      errorNamed('TimeoutError'),
    ]) {
      const { schedule, deploy, seconds } = deployment(refusing(3, error));
      expect(await deploy(), error.name).toBeUndefined();
      expect(schedule.writes).toEqual([wanted]);
      expect(seconds()).toBe(1 + 2 + 4);
    }
  });

  test('is not set again when it was set although the call had no answer', async () => {
    const schedule = new FakeSchedule();
    schedule.beforeWrite = async () => {
      schedule.schedule = wanted;
      throw errorNamed('TimeoutError');
    };
    expect(await deployment(schedule).deploy()).toBeUndefined();
    expect(schedule.writes).toEqual([]);
  });

  test('is set again when Secrets Manager does not show it yet', async () => {
    const { schedule, deploy, seconds } = deployment();
    schedule.isShown = false;
    schedule.beforeWrite = async () => {
      schedule.isShown = schedule.writes.length === 1;
    };
    expect(await deploy()).toBeUndefined();
    expect(schedule.writes).toEqual([wanted, wanted]);
    expect(seconds()).toBe(1);
  });

  test('that is refused for another reason fails the deployment immediately', async () => {
    const { deploy, seconds } = deployment(refusing(1, errorNamed('ValidationException')));
    expect(await deploy()).toBe('ValidationException: see the log of the function');
    expect(seconds()).toBe(0);
  });

  test('shares its minute with the first keys', async () => {
    const { deploy, store, seconds } = deployment(refusing(1000, errorNamed('AccessDeniedException')));
    const known = { at: 40 };
    store.turn = async () => {
      if (seconds() < known.at) {
        throw errorNamed('AccessDeniedException');
      }
    };
    expect(await deploy()).toMatch(/^AccessDeniedException/);
    expect(store.current).toBeDefined();
    expect(seconds()).toBeLessThanOrEqual(60);
  });
});

describe('a version with AWSPENDING', () => {
  test('is given up before the schedule is set: it would be refused', async () => {
    const { schedule, store, deploy, ensure } = deployment();
    await ensure();
    store.begin('stuck');
    schedule.beforeWrite = async () => expect(store.pending).toBeUndefined();
    expect(await deploy()).toBeUndefined();
    expect(schedule.writes).toEqual([wanted]);
  });

  test.each(['empty', 'copy'])('of a test (%s) is waited for, and then taken away', async (pending) => {
    const { schedule, store, deploy, keys, seconds } = deployment();
    schedule.beforeWrite = async () => {
      store.begin('test');
      if (pending === 'copy') {
        store.values.set('test', await keys());
      }
    };
    expect(await deploy()).toBeUndefined();
    expect(store.pending).toBeUndefined();
    expect(seconds()).toBe(3.75);
  });

  test('that is also the current one belongs to no test: nothing is waited for or taken away', async () => {
    const { schedule, store, deploy, ensure, seconds } = deployment();
    await ensure();
    store.pending = store.current;
    schedule.schedule = wanted;
    expect(await deploy()).toBeUndefined();
    expect(seconds()).toBe(0);
    expect(store.pending).toBe(store.current);
  });

  test('of a rotation that has prepared its keys is left alone', async () => {
    const { schedule, store, deploy, ensure, step, keys } = deployment();
    await ensure();
    schedule.schedule = wanted;
    await step('createSecret', 'rotation');
    expect(await deploy()).toBeUndefined();
    expect(store.pending).toBe('rotation');
    // Also if it has one key of the two in common with those that sign.
    const [now, prepared] = [await keys(), store.values.get('rotation')];
    for (const pending of [
      { ...now, next: prepared?.next ?? now.next },
      { ...now, current: now.next },
    ]) {
      store.values.set('rotation', pending);
      expect(await deploy()).toBeUndefined();
      expect(store.pending).toBe('rotation');
    }
  });
});

test('what is no error says nothing of a later attempt', () => {
  const thrown = [undefined, 'TimeoutError', { name: 'TimeoutError' }, { name: 'AccessDenied', message: '' }];
  expect(thrown.filter(mayBeScheduledLater)).toEqual([]);
});
