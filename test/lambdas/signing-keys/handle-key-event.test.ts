import { describe, expect, test } from 'vitest';
import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import type { KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { FakeSchedule, functionArn } from './fake-schedule.ts';
import { setUp } from './set-up.ts';

/** @param disturb replaces methods of the store */
function keyHandler(disturb: (store: KeyStore) => Partial<KeyStore> = () => ({})) {
  const setup = setUp();
  const pauses: number[] = [];
  const answers: (string | undefined)[] = [];
  const schedule = new FakeSchedule();
  const handle = createKeyHandler({
    ...setup.dependencies,
    store: { ...setup.store, ...disturb(setup.store) },
    signingKeySecretArn: 'arn',
    schedule,
    rotationDays: 90,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      setup.pass(milliseconds / 1000);
    },
    answerCustomResource: async (_, failure) => void answers.push(failure),
  });
  const handler = (event: unknown) => handle(event, { invokedFunctionArn: functionArn });
  return { ...setup, handler, schedule, pauses, answers };
}

const request = (RequestType: string) => ({
  RequestType,
  ResponseURL: 'https://answers.test.invalid/',
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'SigningKeys',
  ResourceType: 'Custom::SigningKeys',
});

const step = (change: object = {}) => ({
  Step: 'createSecret',
  SecretId: 'arn',
  ClientRequestToken: 'token',
  RotationToken: 'x',
  ...change,
});

describe('a custom resource request', () => {
  test('Create and Update make keys and a schedule where there are none, and Delete deletes nothing', async () => {
    const { handler, store, schedule, answers } = keyHandler();
    await handler(request('Delete'));
    expect(store.writes).toEqual([]);
    for (const type of ['Create', 'Update', 'Delete']) {
      await handler(request(type));
      expect(store.writes, type).toEqual(['keySet', 'current']);
      expect(schedule.writes, type).toEqual([{ functionArn, days: 90 }]);
    }
    expect(answers).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('waits for IAM for about a minute, and then says what it says', async () => {
    const denied = Object.assign(new Error('not yet'), { name: 'AccessDeniedException' });
    let refusals = 3;
    const { handler, pauses, answers } = keyHandler(({ readKeySet }) => ({
      readKeySet: async () => {
        refusals -= 1;
        if (refusals >= 0) {
          throw denied;
        }
        return readKeySet();
      },
    }));
    await handler(request('Create'));
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    refusals = Number.POSITIVE_INFINITY;
    await handler(request('Update'));
    // A minute has no room for one more wait of eight seconds.
    expect(pauses.slice(3).reduce((sum, pause) => sum + pause, 0)).toBe(55_000);
    expect(answers).toEqual([undefined, 'AccessDeniedException: not yet']);
  });

  test('that fails for a reason of ours is answered with it', async () => {
    const { handler, store, lines, answers } = keyHandler();
    store.turn = async () => {
      throw new KeysChangedError();
    };
    await handler(request('Create'));
    expect(answers).toEqual([
      'KeysChangedError: Another operation changed the keys at the same time: try again',
    ]);
    expect(lines.at(-1)).toMatchObject({
      level: 'ERROR',
      message: 'keyOperationFailed',
      error_name: 'KeysChangedError',
    });
  });

  test('that fails is answered without detail of a foreign error', async () => {
    const { handler, store, lines, answers } = keyHandler();
    store.writesLeft = 0;
    await handler(request('Create'));
    expect(answers).toEqual(['Error: see the log of the function']);
    expect(lines).toMatchObject([{ message: 'keyOperationFailed', error_name: 'Error' }]);
  });
});

describe('a rotation step', () => {
  test('rotates', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    await handler(step());
    expect(store.writes.at(-1)).toBe('pending');
  });

  test('of another secret is refused', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    await expect(handler(step({ SecretId: 'another arn' }))).rejects.toThrow(
      'another secret than that of the signing keys',
    );
    expect(store.writes).toEqual(['keySet', 'current']);
  });

  test('that reads keys or a key set too early is tried again, and one that fails otherwise is not', async () => {
    for (const [failure, isRepeated] of [
      [new KeysChangedError(), true],
      [new Error('down'), false],
    ] as const) {
      let failures = 2;
      const { handler, ensure, store, pauses } = keyHandler(({ versions }) => ({
        versions: async () => {
          failures -= 1;
          if (failures >= 0) {
            throw failure;
          }
          return versions();
        },
      }));
      await ensure();
      store.begin('token');
      const outcome = await handler(step()).catch((error: Error) => error.message);
      expect(outcome).toBe(isRepeated ? undefined : 'Error: see the log of the function');
      expect(pauses).toEqual(isRepeated ? [1_000, 2_000] : []);
    }
    const { handler, ensure, store, pauses } = keyHandler();
    await ensure();
    store.begin('token');
    await handler(step());
    // The new key is not published before the next step: a read of the key set may show it later.
    await expect(handler(step({ Step: 'testSecret' }))).rejects.toThrow('is not published');
    expect(pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });
});

describe('an operator', () => {
  test('revokes a key, and learns what became of it', async () => {
    const { handler, ensure, keys } = keyHandler();
    await ensure();
    const { current, next } = await keys();
    expect(await handler({ action: 'revoke', kid: current.kid })).toMatchObject({ signing_kid: next.kid });
  });

  test('waits while another operation changes the keys, but not without end', async () => {
    let conflicts = 9;
    const { handler, ensure, keys, pauses } = keyHandler(({ writeCurrent }) => ({
      writeCurrent: async (...change) => {
        conflicts -= 1;
        if (conflicts >= 0) {
          throw new KeysChangedError();
        }
        return writeCurrent(...change);
      },
    }));
    conflicts = 0;
    await ensure();
    const { kid } = (await keys()).current;
    conflicts = 3;
    expect(await handler({ action: 'revoke', kid })).toMatchObject({ kid });
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    conflicts = Number.POSITIVE_INFINITY;
    await expect(handler({ action: 'revoke', kid: (await keys()).next.kid })).rejects.toThrow('try again');
  });

  test('is told immediately of a key that does not exist, and the log has it too', async () => {
    const { handler, lines, pauses } = keyHandler();
    await expect(handler({ action: 'revoke', kid: 'x' })).rejects.toThrow('no signing key with this id');
    expect(pauses).toEqual([]);
    expect(lines).toMatchObject([
      { level: 'ERROR', message: 'keyOperationFailed', error_name: 'InternalError' },
    ]);
  });

  test('sets the schedule again, and changes no keys', async () => {
    const { handler, ensure, store, schedule, lines } = keyHandler();
    await ensure();
    const writes = [...store.writes];
    expect(await handler({ action: 'schedule' })).toBeUndefined();
    expect(schedule.writes).toEqual([{ functionArn, days: 90 }]);
    expect(store.writes).toEqual(writes);
    expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'scheduleEnsured', days: 90, changed: true });
  });

  test('is told immediately that the schedule was not set', async () => {
    const { handler, ensure, schedule, pauses, lines } = keyHandler();
    await ensure();
    schedule.isShown = false;
    await expect(handler({ action: 'schedule' })).rejects.toThrow('but does not show it');
    expect(lines.at(-1)).toMatchObject({ message: 'keyOperationFailed', error_name: 'NotScheduledError' });
    expect(pauses).toEqual([]);
  });
});

test('anything else is refused', async () => {
  const { handler, store } = keyHandler();
  for (const event of [
    undefined,
    null,
    {},
    { action: 'destroy' },
    step({ Step: 'dropSecret' }),
    step({ SecretId: undefined }),
    'revoke',
  ]) {
    await expect(handler(event), JSON.stringify(event)).rejects.toThrow('Not an event');
  }
  expect(store.writes).toEqual([]);
});
