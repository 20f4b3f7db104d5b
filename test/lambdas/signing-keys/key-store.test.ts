import { InvalidParameterException, SecretsManager } from '@aws-sdk/client-secrets-manager';
import { clientFor, prepareRuns } from 'cloud-assembly-emulator/test/aws-services';
import { createKeyStore, type KeyStore, type SigningKeys } from '../../../lambdas/signing-keys/key-store.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { parseSigningKey } from '../../../storage/signing-keys.ts';
import { keySetOf, newKey } from '../../support/signing-keys.ts';
import { arns, kmsKey, privateSecret, publicSecret } from './key-resources.ts';

const [first, second, third] = await Promise.all([newKey(), newKey(), newKey()]);
const keys: SigningKeys = { current: first, next: second };
const laterKeys: SigningKeys = { current: second, next: third };
const keySet = keySetOf(first);

/** A rotation's token: 32 to 64 characters. */
const token = 'rotation-1'.padEnd(36, '-');
const otherToken = 'rotation-2'.padEnd(36, '-');

let client: SecretsManager;
let store: KeyStore;

beforeEach(async () => {
  const runs = await prepareRuns([kmsKey, privateSecret, publicSecret]);
  client = new SecretsManager(clientFor(await runs.start()));
  store = createKeyStore(client, arns);
});

type Outcome = 'fails' | 'is rejected' | 'loses its response';

/** Fails each call of an operation before its effect, or loses its response. */
function everyCall(operation: string, outcome: Outcome): void {
  client.middlewareStack.add(
    (next, context) => async (input) => {
      if (context.commandName !== `${operation}Command`) {
        return next(input);
      }
      if (outcome === 'loses its response') {
        await next(input);
      }
      throw outcome === 'is rejected'
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

/** Reads both secrets. */
const read = async () => [(await store.readKeySet())?.value, (await store.readCurrent())?.value];

/** Reads the text of one version. */
async function text(input: { VersionId?: string; VersionStage?: string }): Promise<string> {
  return (await client.getSecretValue({ SecretId: arns.signingKey, ...input })).SecretString ?? '';
}

async function stagesByVersion(): Promise<Record<string, string[]>> {
  return (await client.describeSecret({ SecretId: arns.signingKey })).VersionIdsToStages ?? {};
}

test('a service that fails differs from secrets without a value', async () => {
  everyCall('GetSecretValue', 'fails');

  await expect(store.readKeySet()).rejects.toThrow('socket hang up');
  await expect(store.readCurrent()).rejects.toThrow('socket hang up');
});

describe('keys that are written', () => {
  beforeEach(writeFirst);

  test('are stored in versions with one private key each', async () => {
    const [readable, next] = await Promise.all([text({}), text({ VersionStage: 'PROPOSED_NEXT' })]);

    expect([readable, next].map((it) => it.match(/"d":/g)?.length)).toEqual([1, 1]);
    expect(parseSigningKey(readable).key).toEqual(first);
    expect(parseSigningKey(next)).toEqual({ key: second });
  });

  test.for([
    ['the first ones', () => store.writeCurrent(laterKeys, undefined)],
    ['those of a rotation', () => store.writePending(token, laterKeys)],
  ] as const)('are not written while the secret has another KMS key: %s', async ([, write]) => {
    const SecretId = arns.signingKey;
    await client.updateSecret({ SecretId, KmsKeyId: 'alias/aws/secretsmanager' });
    const before = await stagesByVersion();

    await expect(write()).rejects.toThrow(
      /is encrypted with alias\/aws\/secretsmanager, not .* No private key was written\. Set the key: aws secretsmanager update-secret --secret-id \S+SigningKey\S+ --kms-key-id \S+$/,
    );
    expect(await stagesByVersion()).toEqual(before);
    await client.updateSecret({ SecretId, KmsKeyId: kmsKey.ref });
    await write();
  });

  test('replace those that were read, and never those of another operation', async () => {
    const [oldSet, oldKeys] = [await store.readKeySet(), await store.readCurrent()];
    const laterKeySet = keySetOf(second);
    await store.writeKeySet(laterKeySet, oldSet?.version);
    await store.writeCurrent(laterKeys, oldKeys?.version);

    const lostSet = store.writeKeySet(keySetOf(third), oldSet?.version);
    await expect(lostSet).rejects.toBeInstanceOf(KeysChangedError);
    const lostKeys = store.writeCurrent({ current: third, next: first }, oldKeys?.version);
    await expect(lostKeys).rejects.toBeInstanceOf(KeysChangedError);
    expect(await read()).toEqual([laterKeySet, laterKeys]);
  });

  test('count as written when only the response was lost', async () => {
    const { current } = await store.versions();
    everyCall('UpdateSecretVersionStage', 'loses its response');

    await store.writeCurrent(laterKeys, current);

    expect(await read()).toEqual([keySet, laterKeys]);
  });

  // The service rejects a move from a version that is not current, although a stale read does not show that
  // yet.
  test.for([
    ['fails', 'socket hang up'],
    ['is rejected', 'Another operation changed the keys at the same time: try again'],
  ] as const)('are not written when the move of the label %s', async ([outcome, message]) => {
    const { current } = await store.versions();
    everyCall('UpdateSecretVersionStage', outcome);

    await expect(store.writeCurrent(laterKeys, current)).rejects.toThrow(message);
    expect(await read()).toEqual([keySet, keys]);
  });
});

describe('keys that a rotation prepares', () => {
  beforeEach(async () => {
    await writeFirst();
    await store.writePending(token, laterKeys);
  });

  test('are not pending when only the response to that was lost', async () => {
    everyCall('UpdateSecretVersionStage', 'loses its response');

    await store.dropPending(token);

    expect((await store.versions()).pending).toBeUndefined();
  });

  test('stay pending when those of an earlier rotation no longer are', async () => {
    await store.writePending(otherToken, laterKeys);

    await store.dropPending(token);

    expect(await store.versions()).toMatchObject({ pending: otherToken });
  });

  test('stay pending when the service fails', async () => {
    everyCall('UpdateSecretVersionStage', 'fails');

    await expect(store.dropPending(token)).rejects.toThrow('socket hang up');
    expect(await store.versions()).toMatchObject({ pending: token });
  });
});
