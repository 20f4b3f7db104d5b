import {
  DescribeSecretCommand,
  InvalidParameterException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { clientFor, prepareRuns, resource } from 'cloud-assembly-emulator/test/aws-services';
import { beforeEach, describe, expect, test } from 'vitest';
import { createKeyStore, type KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import type { SigningKeys } from '../../../storage/signing-keys.ts';
import { keySetOf, newKey } from '../../support/signing-keys.ts';

const [privateSecret, publicSecret] = ['SigningKey', 'KeySet'].map((logicalId) =>
  resource(logicalId, 'AWS::SecretsManager::Secret', {}),
);
const arns = { signingKey: privateSecret?.ref ?? '', keySet: publicSecret?.ref ?? '' };

const [first, second, third] = await Promise.all([newKey(), newKey(), newKey()]);
const keys: SigningKeys = { current: first, next: second };
const laterKeys: SigningKeys = { current: second, next: third };
const keySet = keySetOf(first);
const laterKeySet = keySetOf(second);

/** A rotation's token: 32 to 64 characters. */
const token = 'rotation-1'.padEnd(36, '-');
const otherToken = 'rotation-2'.padEnd(36, '-');

let client: SecretsManagerClient;
let store: KeyStore;

beforeEach(async () => {
  const runs = await prepareRuns([privateSecret, publicSecret].flatMap((it) => it ?? []));
  client = new SecretsManagerClient(clientFor(await runs.start()));
  store = createKeyStore(client, arns);
});

type Outcome = 'fails' | 'is refused' | 'loses its answer';

/** Lets each call of an operation fail before it has an effect, or lose its answer. */
function everyCall(operation: string, outcome: Outcome): void {
  client.middlewareStack.add(
    (next, context) => async (input) => {
      if (context.commandName !== `${operation}Command`) {
        return next(input);
      }
      if (outcome === 'loses its answer') {
        await next(input);
      }
      throw outcome === 'is refused'
        ? new InvalidParameterException({ message: 'not current', $metadata: {} })
        : new Error('socket hang up');
    },
    { step: 'initialize' },
  );
}

async function writeFirst(): Promise<void> {
  await store.writeKeySet(keySet, undefined);
  await store.writeCurrent(keys, undefined);
}

async function stagesByVersion(secretArn: string): Promise<Record<string, string[]>> {
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretArn }));
  return VersionIdsToStages;
}

describe('secrets without a value', () => {
  test('hold no keys', async () => {
    expect(await store.readKeySet()).toBeUndefined();
    expect(await store.readCurrent()).toBeUndefined();
    expect(await store.versions()).toEqual({});
  });

  test('are not taken for those of a service that fails', async () => {
    everyCall('GetSecretValue', 'fails');
    await expect(store.readKeySet()).rejects.toThrow('socket hang up');
    await expect(store.readCurrent()).rejects.toThrow('socket hang up');
  });
});

describe('keys that are written', () => {
  test('are read again, and replace those that were read, by a version that was proposed', async () => {
    await writeFirst();
    const { value, version = '' } = (await store.readCurrent()) ?? {};
    expect(value).toEqual(keys);
    expect(await store.versions()).toEqual({ current: version });
    expect(Object.values(await stagesByVersion(arns.keySet))).toEqual([['AWSCURRENT']]);
    await store.writeKeySet(laterKeySet, (await store.readKeySet())?.version);
    await store.writeCurrent(laterKeys, version);
    expect((await store.readKeySet())?.value).toEqual(laterKeySet);
    const later = await store.readCurrent();
    expect(later?.value).toEqual(laterKeys);
    const stages = await stagesByVersion(arns.signingKey);
    expect(stages[later?.version ?? '']?.toSorted()).toEqual(['AWSCURRENT', 'PROPOSED']);
  });

  test('never replace those that another operation wrote meanwhile', async () => {
    await writeFirst();
    const read = { keySet: await store.readKeySet(), keys: await store.readCurrent() };
    await store.writeKeySet(laterKeySet, read.keySet?.version);
    await store.writeCurrent(laterKeys, read.keys?.version);

    const stale = keySetOf(third);
    await expect(store.writeKeySet(stale, read.keySet?.version)).rejects.toBeInstanceOf(KeysChangedError);
    const lost = store.writeCurrent({ current: third, next: first }, read.keys?.version);
    await expect(lost).rejects.toMatchObject({
      name: 'KeysChangedError',
      message: 'Another operation changed the keys at the same time: try again',
    });
    expect((await store.readKeySet())?.value).toEqual(laterKeySet);
    expect((await store.readCurrent())?.value).toEqual(laterKeys);
  });

  test('count as written when only the answer was lost', async () => {
    await store.writeCurrent(keys, undefined);
    const { current } = await store.versions();
    everyCall('UpdateSecretVersionStage', 'loses its answer');
    await store.writeCurrent(laterKeys, current);
    expect((await store.readCurrent())?.value).toEqual(laterKeys);
  });

  test('are not written when the service failed, and the error says so', async () => {
    await store.writeCurrent(keys, undefined);
    const { current } = await store.versions();
    everyCall('UpdateSecretVersionStage', 'fails');
    await expect(store.writeCurrent(laterKeys, current)).rejects.toThrow('socket hang up');
    expect((await store.readCurrent())?.value).toEqual(keys);
  });

  test('have changed when the service refuses the move, though a late read does not show it yet', async () => {
    await store.writeCurrent(keys, undefined);
    const { current } = await store.versions();
    everyCall('UpdateSecretVersionStage', 'is refused');
    await expect(store.writeCurrent(laterKeys, current)).rejects.toBeInstanceOf(KeysChangedError);
  });
});

describe('keys that a rotation prepares', () => {
  beforeEach(async () => {
    await store.writeCurrent(keys, undefined);
  });

  test('sign when they are promoted, are pending until that is taken away, and are always read by version', async () => {
    const { current = '' } = await store.versions();
    await store.writePending(token, laterKeys);
    expect(await store.readVersion(token)).toEqual(laterKeys);
    expect((await store.readCurrent())?.value).toEqual(keys);
    await store.promote(token, current);
    expect(await store.readCurrent()).toEqual({ value: laterKeys, version: token });
    expect(await store.versions()).toEqual({ current: token, pending: token });
    await store.dropPending(token);
    expect(await store.versions()).toEqual({ current: token });
    expect(await store.readVersion(current)).toEqual(keys);
    expect(await store.readVersion(otherToken)).toBeUndefined();
  });
});

describe('the mark of a rotation', () => {
  beforeEach(async () => {
    await store.writeCurrent(keys, undefined);
    await store.writePending(token, laterKeys);
  });

  test('counts as taken away when only the answer was lost', async () => {
    everyCall('UpdateSecretVersionStage', 'loses its answer');
    await store.dropPending(token);
    expect((await store.versions()).pending).toBeUndefined();
  });

  test('is not taken from another rotation', async () => {
    await store.writePending(otherToken, laterKeys);
    await store.dropPending(token);
    expect(await store.versions()).toMatchObject({ pending: otherToken });
  });

  test('that could not be taken away is an error', async () => {
    everyCall('UpdateSecretVersionStage', 'fails');
    await expect(store.dropPending(token)).rejects.toThrow('socket hang up');
    expect(await store.versions()).toMatchObject({ pending: token });
  });
});
