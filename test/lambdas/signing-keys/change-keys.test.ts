import { describe, expect, test } from 'vitest';
import { createAnswerCustomResource } from '../../../lambdas/shared/custom-resource.ts';
import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import type { KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { FakeSchedule, functionArn } from './fake-schedule.ts';
import { withReceiver } from './receiver.ts';
import { setUp } from './set-up.ts';

function keyHandler(disturb: (store: KeyStore) => Partial<KeyStore> = () => ({})) {
  const setup = setUp();
  const waits: number[] = [];
  const pauses: number[] = [];
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
    answerCustomResource: createAnswerCustomResource({
      physicalResourceId: 'signing-keys',
      put: fetch,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      random: () => 0.5,
    }),
  });
  const handler = (event: unknown) => handle(event, { invokedFunctionArn: functionArn });
  return { ...setup, handler, schedule, waits, pauses };
}

const request = (RequestType: string, ResponseURL: string) => ({
  RequestType,
  ResponseURL,
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'SigningKeys',
  ResourceType: 'Custom::SigningKeys',
});

describe('a custom resource request', () => {
  test.each(['Create', 'Update'])('%s makes keys, and answers as CloudFormation wants it', async (type) => {
    await withReceiver(async (url, received) => {
      const { handler, store } = keyHandler();
      await handler(request(type, url));
      expect(store.writes).toEqual(['keySet', 'current']);
      expect(received).toEqual([
        {
          method: 'PUT',
          // The URL is signed without one.
          contentType: undefined,
          body: {
            Status: 'SUCCESS',
            PhysicalResourceId: 'signing-keys',
            StackId: 'stack',
            RequestId: 'request',
            LogicalResourceId: 'SigningKeys',
          },
        },
      ]);
    });
  });

  test('waits for IAM for about a minute, and then says what it says', async () => {
    await withReceiver(async (url, received) => {
      const denied = Object.assign(new Error('not yet'), { name: 'AccessDeniedException' });
      let refusals = 3;
      const { handler, pauses } = keyHandler(({ readKeySet }) => ({
        readKeySet: async () => {
          refusals -= 1;
          if (refusals >= 0) {
            throw denied;
          }
          return readKeySet();
        },
      }));
      await handler(request('Create', url));
      expect(pauses).toEqual([1_000, 2_000, 4_000]);
      refusals = Number.POSITIVE_INFINITY;
      await handler(request('Update', url));
      const waited = pauses.slice(3).reduce((sum, pause) => sum + pause, 0);
      // A minute has no room for one more wait of eight seconds.
      expect(waited).toBe(55_000);
      expect(received.map(({ body }) => body.Status)).toEqual(['SUCCESS', 'FAILED']);
    });
  });

  test('Delete deletes nothing', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store } = keyHandler();
      await handler(request('Create', url));
      await handler(request('Delete', url));
      expect(store.writes).toEqual(['keySet', 'current']);
      expect(received[1]?.body.Status).toBe('SUCCESS');
    });
  });

  test('Delete makes no keys either, and no schedule', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store, schedule } = keyHandler();
      await handler(request('Delete', url));
      expect(store.writes).toEqual([]);
      expect(schedule.writes).toEqual([]);
      expect(received[0]?.body.Status).toBe('SUCCESS');
    });
  });

  test('that fails for a reason of ours is answered with it', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store, lines } = keyHandler();
      store.turn = async () => {
        throw new KeysChangedError();
      };
      await handler(request('Create', url));
      expect(received[0]?.body).toMatchObject({
        Status: 'FAILED',
        Reason: 'KeysChangedError: Another operation changed the keys at the same time: try again',
      });
      expect(lines.at(-1)).toMatchObject({
        level: 'ERROR',
        message: 'keyOperationFailed',
        error_name: 'KeysChangedError',
      });
      expect(new Set(lines.slice(0, -1).map(({ message }) => message))).toEqual(new Set(['deploymentWaits']));
    });
  });

  test('that fails is answered FAILED, without detail of a foreign error', async () => {
    await withReceiver(async (url, received) => {
      const { handler, store, lines } = keyHandler();
      store.writesLeft = 0;
      await handler(request('Create', url));
      expect(received[0]?.body).toMatchObject({
        Status: 'FAILED',
        Reason: 'Error: see the log of the function',
      });
      expect(JSON.stringify(lines)).not.toContain('hush');
    });
  });

  test('is answered again when CloudFormation did not take the answer', async () => {
    await withReceiver(async (url, received) => {
      const { handler, waits } = keyHandler();
      await handler(request('Create', url));
      expect(received).toHaveLength(3);
      // Half of 0.5 s and of 1 s: with jitter, so that nobody comes back in step.
      expect(waits).toEqual([250, 500]);
    }, 2);
  });

  test('is answered again when CloudFormation was not reached', async () => {
    const urls: string[] = [];
    const answer = createAnswerCustomResource({
      physicalResourceId: 'signing-keys',
      put: async (url) => {
        urls.push(String(url));
        if (urls.length < 3) {
          throw new TypeError('fetch failed');
        }
        return new Response();
      },
      sleep: async () => undefined,
      random: () => 0.5,
    });
    const { RequestType: _type, ...rest } = request('Create', 'https://answers.test.invalid/');
    await answer({ RequestType: 'Create', ...rest });
    expect(urls).toEqual(Array.from({ length: 3 }, () => 'https://answers.test.invalid/'));
  });

  test('whose answer is never taken fails, without the URL', async () => {
    await withReceiver(async (url) => {
      await expect(keyHandler().handler(request('Create', url))).rejects.toThrow(/^CloudFormation did not/);
    }, 3);
  });
});

describe('other events', () => {
  test('that find the keys changed are tried again a few times, since a read can be late', async () => {
    const versions = async () => {
      throw new KeysChangedError();
    };
    const { handler, pauses } = keyHandler(() => ({ versions }));
    const step = { Step: 'createSecret', SecretId: 'arn', ClientRequestToken: 'token' };
    await expect(handler(step)).rejects.toThrow('try again');
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
  });

  test('a rotation step rotates', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    await handler({ Step: 'createSecret', ClientRequestToken: 'token', SecretId: 'arn', RotationToken: 'x' });
    expect(store.writes.at(-1)).toBe('pending');
  });

  test('a revocation answers what became of the key', async () => {
    const { handler, ensure, keys } = keyHandler();
    await ensure();
    const { current, next } = await keys();
    expect(await handler({ action: 'revoke', kid: current.kid })).toMatchObject({ signing_kid: next.kid });
  });

  test('an operator sets the schedule again, and changes no keys', async () => {
    const { handler, ensure, store, schedule, lines } = keyHandler();
    await ensure();
    const writes = [...store.writes];
    expect(await handler({ action: 'schedule' })).toBeUndefined();
    expect(schedule.writes).toEqual([{ functionArn, days: 90 }]);
    expect(store.writes).toEqual(writes);
    expect(lines.at(-1)).toEqual({ level: 'INFO', message: 'scheduleEnsured', days: 90, changed: true });
  });

  test('an operator is told immediately that the schedule was not set', async () => {
    const { handler, ensure, schedule, pauses, lines } = keyHandler();
    await ensure();
    schedule.isShown = false;
    await expect(handler({ action: 'schedule' })).rejects.toThrow('but does not show it');
    expect(lines.at(-1)).toMatchObject({ message: 'keyOperationFailed', error_name: 'NotScheduledError' });
    expect(pauses).toEqual([]);
  });

  test('that fail are logged and thrown, so that they are repeated', async () => {
    const { handler, lines } = keyHandler();
    await expect(handler({ action: 'revoke', kid: 'x' })).rejects.toThrow('no signing key with this id');
    expect(lines).toMatchObject([
      { level: 'ERROR', message: 'keyOperationFailed', error_name: 'InternalError' },
    ]);
  });

  test('a rotation step of another secret is refused', async () => {
    const { handler, ensure, store } = keyHandler();
    await ensure();
    store.begin('token');
    const event = { Step: 'createSecret', ClientRequestToken: 'token', SecretId: 'another arn' };
    await expect(handler(event)).rejects.toThrow('another secret than that of the signing keys');
    expect(store.writes).toEqual(['keySet', 'current']);
  });

  test('that fail in foreign code are thrown without what it said', async () => {
    const { handler, store, ensure } = keyHandler();
    await ensure();
    store.begin('token');
    store.writesLeft = 0;
    const event = { Step: 'createSecret', ClientRequestToken: 'token', SecretId: 'arn' };
    const thrown = await handler(event).catch((error: Error) => error);
    expect(thrown).toMatchObject({ name: 'InternalError', message: 'Error: see the log of the function' });
    expect(thrown).not.toHaveProperty('cause');
  });

  test.each([
    undefined,
    null,
    {},
    { action: 'destroy' },
    { Step: 'dropSecret', ClientRequestToken: 't', SecretId: 'arn' },
    { Step: 'createSecret', ClientRequestToken: 't' },
    'revoke',
  ])('%j is refused', async (event) => {
    const { handler, store } = keyHandler();
    await expect(handler(event)).rejects.toThrow('Not an event');
    expect(store.writes).toEqual([]);
  });
});
