import { isDenied } from '../../../lambdas/signing-keys/retry.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { errorNamed, fail, keyHandler, wanted } from './key-handler.ts';
import { firstWrites } from './set-up.ts';

const denied = errorNamed('AccessDeniedException', 'not yet');

const step = (change: object = {}) => ({
  Step: 'createSecret',
  SecretId: 'arn',
  ClientRequestToken: 'token',
  RotationToken: 'x',
  ...change,
});

describe('a custom resource request', () => {
  test('Delete changes nothing', async () => {
    const { deploy, store } = keyHandler();

    await deploy('Delete');

    expect(store.writes).toEqual([]);
  });

  test('fails with the message of IAM after about a minute', async () => {
    const { deploy, store, lines, pauses } = keyHandler();
    fail(store, 'readKeySet', Number.POSITIVE_INFINITY, denied);

    await expect(deploy('Update')).rejects.toThrow('AccessDeniedException: not yet');
    const line = { level: 'WARN', message: 'keyOperationWaits', wait_milliseconds: 1_000 };
    expect(lines[0]).toMatchObject({ ...line, error_name: 'AccessDeniedException' });
    // One more wait of eight seconds would exceed a minute.
    expect(pauses).toEqual([1_000, 2_000, 4_000, ...Array.from({ length: 6 }, () => 8_000)]);
  });

  test('that fails for a reason of ours returns the reason', async () => {
    const { deploy, store, lines } = keyHandler();
    store.turn = async () => {
      throw new KeysChangedError();
    };
    const reason = 'KeysChangedError: Another operation changed the keys at the same time: try again';
    await expect(deploy()).rejects.toThrow(reason);
    const line = { level: 'ERROR', message: 'keyOperationFailed', error_name: 'KeysChangedError' };
    expect(lines.at(-1)).toMatchObject(line);
  });

  test('that fails otherwise returns immediately, without detail', async () => {
    const { deploy, store, lines, pauses } = keyHandler();
    store.writesLeft = 0;
    await expect(deploy()).rejects.toThrow('Error: see the log of the function');
    expect(lines).toMatchObject([{ message: 'keyOperationFailed', error_name: 'Error' }]);
    expect(pauses).toEqual([]);
  });
});

test.for([
  errorNamed('AccessDenied'),
  errorNamed('AccessDeniedException'),
  errorNamed('KMSAccessDeniedException'),
  new Error('User: x is not authorized to perform: kms:Decrypt'),
])('%s is a denial', (error) => {
  expect(isDenied(error)).toBe(true);
});

test.for([new Error('down'), undefined, { name: 'AccessDenied', message: 'not authorized to perform' }])(
  '%o is no denial',
  (error) => {
    expect(isDenied(error)).toBe(false);
  },
);

describe('a rotation step', () => {
  test('of another secret is rejected', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    const rejected = handler(step({ SecretId: 'another arn' }));
    await expect(rejected).rejects.toThrow('another secret than that of the signing keys');
    expect(store.writes).toEqual(firstWrites);
  });

  test.for([
    ['reads other keys is tried again', new KeysChangedError(), undefined, 'keys AWSPENDING', [1_000, 2_000]],
    ['fails otherwise is not', new Error('down'), 'Error: see the log of the function', 'set AWSCURRENT', []],
  ] as const)('that %s', async ([, failure, message, lastWrite, waits]) => {
    const { handler, ensure, store, pauses } = keyHandler();
    fail(store, 'versions', 2, failure);
    await ensure();
    store.begin('token');

    expect(await handler(step()).catch((error: Error) => error.message)).toBe(message);
    expect(store.writes.at(-1)).toBe(lastWrite);
    expect(pauses).toEqual(waits);
  });

  test('that reads a key set without the new key is retried', async () => {
    const { handler, ensure, store, pauses } = keyHandler();
    await ensure();
    store.begin('token');
    await handler(step());

    // The new key is not published before the next step, since a read of the key set may show it later.
    await expect(handler(step({ Step: 'testSecret' }))).rejects.toThrow('is not published');
    expect(pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });
});

describe('an operator', () => {
  test('revokes a key while another operation changes the keys', async () => {
    const { handler, ensure, store, pauses } = keyHandler();
    await ensure();
    const { current, next } = store.keys;
    fail(store, 'writeCurrent', 3, new KeysChangedError());
    const revocation = await handler({ action: 'revoke', kid: current.kid });
    expect(revocation).toMatchObject([{ kid: current.kid, signing_kid: next.kid }]);
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
  });

  test('immediately gets an error for a key that does not exist', async () => {
    const { handler, lines, pauses } = keyHandler();
    await expect(handler({ action: 'revoke', kid: 'x', operator: 'ada' })).rejects.toThrow(
      'no signing key with this id',
    );
    expect(pauses).toEqual([]);
    expect(lines).toMatchObject([
      { level: 'INFO', message: 'operatorAsked', operator: 'ada' },
      { level: 'ERROR', message: 'keyOperationFailed', error_name: 'InternalError' },
    ]);
  });

  test('sets the schedule again, and changes no keys', async () => {
    const { handler, ensure, store, scheduled, lines } = keyHandler();
    await ensure();
    expect(await handler({ action: 'schedule' })).toBeUndefined();
    expect(scheduled).toEqual([wanted]);
    expect(store.writes).toEqual(firstWrites);
    expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'scheduleEnsured', days: 90, changed: true });
  });

  test('immediately gets an error if the schedule was not set', async () => {
    const { handler, ensure, schedule, pauses, lines } = keyHandler();
    await ensure();
    schedule.read = async () => undefined;
    await expect(handler({ action: 'schedule' })).rejects.toThrow('but does not show it');
    expect(lines.at(-1)).toMatchObject({ message: 'keyOperationFailed', error_name: 'NotScheduledError' });
    expect(pauses).toEqual([]);
  });
});

test.for([
  undefined,
  { action: 'destroy' },
  step({ Step: 'dropSecret' }),
  step({ SecretId: undefined }),
  'revoke',
])('rejects any other event: %j', async (event) => {
  const { handler, store } = keyHandler();

  await expect(handler(event)).rejects.toThrow('Not an event');
  expect(store.writes).toEqual([]);
});
