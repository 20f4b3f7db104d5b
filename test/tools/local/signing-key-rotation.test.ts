import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { jwtVerify, SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { generateKey } from '../../../lambdas/signing-keys/generate-key.ts';
import { createKeyHandler } from '../../../lambdas/signing-keys/handle-key-event.ts';
import { createKeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { createScheduleStore } from '../../../lambdas/signing-keys/rotation-schedule.ts';
import type { InvokeFunction } from '../../../packages/emulator/lambda/invoke.ts';
import {
  type AwsRuns,
  clientFor,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  resource,
  stack,
} from '../../../packages/emulator/test/support/aws-services.ts';
import { keySigningAt, parseKeySet, parseSigningKeys } from '../../../storage/signing-keys.ts';

const signingKey = resource('SigningKey', 'AWS::SecretsManager::Secret', {});
const keySet = resource('KeySet', 'AWS::SecretsManager::Secret', {});
const resources = [
  signingKey,
  keySet,
  ...functionRole('Role', { Effect: 'Allow', Action: 'secretsmanager:*', Resource: '*' }),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
  resource('Schedule', 'AWS::SecretsManager::RotationSchedule', {
    SecretId: signingKey.ref,
    RotationLambdaARN: functionArn('Rotate'),
    RotationRules: { AutomaticallyAfterDays: 90 },
    RotateImmediatelyOnUpdate: false,
  }),
];

type Step = (typeof rotationSteps)[number];

let runs: AwsRuns;
let client: SecretsManagerClient;
let handle: (event: unknown) => Promise<unknown>;
/** The function dies when it has done this step, before it can say so. */
let diesAfter: Step | undefined;
let done: Step[];

/** The function's own code, which dies where it is told to. */
const invoke: InvokeFunction = async (_, payload) => {
  const { Step: step } = payload as { Step: Step };
  await handle(payload);
  done.push(step);
  if (step !== diesAfter) {
    return { ok: true, payload: null };
  }
  return { ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: 'signal: killed' } };
};

beforeEach(async () => {
  [diesAfter, done] = [undefined, []];
  runs = await prepareRuns(resources);
  client = new SecretsManagerClient(clientFor(await runs.start({ invoke })));
  const dependencies = {
    store: createKeyStore(client, { signingKey: signingKey.ref, keySet: keySet.ref }),
    generateKey: () => generateKey('ES256'),
    tokenLifetimeSeconds: 3600,
    now: () => new Date(),
    log: () => undefined,
    answerCustomResource: async () => undefined,
    sleep: async () => undefined,
    signingKeySecretArn: signingKey.ref,
    schedule: createScheduleStore(() => client, signingKey.ref),
    rotationDays: 90,
  };
  const handler = createKeyHandler(dependencies);
  handle = (event) => handler(event, { invokedFunctionArn: functionArn('Rotate') });
  await ensureKeys(dependencies);
});
afterEach(async () => {
  await runs.end();
  client.destroy();
});

async function secret(SecretId: string): Promise<string> {
  return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
}

async function stages(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { VersionIdsToStages = {} } = await client.send(
    new DescribeSecretCommand({ SecretId: signingKey.ref }),
  );
  return VersionIdsToStages;
}

/** The keys that sign, and the published ones by state. */
async function state() {
  const keys = parseSigningKeys(await secret(signingKey.ref));
  const published = parseKeySet(await secret(keySet.ref)).keys;
  const kidsIn = (name: string) =>
    published.filter((entry) => entry.state === name).map(({ jwk }) => jwk.kid);
  return {
    signs: keySigningAt(keys, Date.now()),
    current: keys.current.kid,
    next: keys.next.kid,
    published: { current: kidsIn('current'), next: kidsIn('next'), retired: kidsIn('retired') },
    ends: published.filter(({ until }) => until !== undefined).map(({ jwk }) => jwk.kid),
  };
}

/** Whether a token that is signed now verifies with the published key set. */
async function signsWhatVerifies(): Promise<boolean> {
  const { signs } = await state();
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: signs.alg, kid: signs.kid })
    .sign(await importJWK(signs, signs.alg));
  const published = await importKeySet(parseKeySet(await secret(keySet.ref)));
  const found = published.keys.get(signs.kid);
  if (found === undefined) {
    return false;
  }
  return jwtVerify(token, found.key).then(
    () => true,
    () => false,
  );
}

async function rotateAndDie(step: Step): Promise<string> {
  diesAfter = step;
  const { VersionId = '' } = await client.send(new RotateSecretCommand({ SecretId: signingKey.ref }));
  await expect.poll(() => done.at(-1)).toBe(step);
  [diesAfter, done] = [undefined, []];
  return VersionId;
}

describe('a rotation function that is killed after', () => {
  test.each(['createSecret', 'setSecret', 'testSecret'] as const)(
    '%s: the same key signs and verifies; run again, the rotation is finished as if nothing had been',
    async (step) => {
      const before = await state();
      const version = await rotateAndDie(step);
      const between = await state();
      expect(between.signs.kid).toBe(before.signs.kid);
      expect((await stages())[version]).toEqual(['AWSPENDING']);
      expect(await signsWhatVerifies()).toBe(true);

      // Secrets Manager says that it goes on with the version that is pending.
      const again = client.send(new RotateSecretCommand({ SecretId: signingKey.ref }));
      await expect(again).rejects.toMatchObject({ name: 'InvalidRequestException' });
      await expect.poll(() => done).toEqual(rotationSteps);
      await expectRotated(before, version);
    },
  );

  test('finishSecret: the next key signs and verifies; run again, nothing changes', async () => {
    const before = await state();
    const version = await rotateAndDie('finishSecret');
    await expectRotated(before, version);
    const after = await state();
    for (const step of rotationSteps) {
      await handle({ Step: step, SecretId: signingKey.ref, ClientRequestToken: version });
    }
    expect(await state()).toEqual(after);
    await expectRotated(before, version);
  });

  test('any step, time and again: as many keys are published as there would be otherwise', async () => {
    const before = await state();
    const version = await rotateAndDie('createSecret');
    for (const step of ['createSecret', 'setSecret', 'testSecret'] as const) {
      diesAfter = step;
      await client.send(new RotateSecretCommand({ SecretId: signingKey.ref })).catch(() => undefined);
      await expect.poll(() => done.at(-1)).toBe(step);
      done = [];
    }
    diesAfter = undefined;
    await client.send(new RotateSecretCommand({ SecretId: signingKey.ref })).catch(() => undefined);
    await expect.poll(() => done).toEqual(rotationSteps);
    await expectRotated(before, version);
  });
});

describe('rotations and revocations in turn', () => {
  test.each(['current', 'next', 'retired'] as const)(
    'a rotation begins and ends after the %s key was revoked, and after that',
    async (which) => {
      await rotateAndEnd();
      const rotated = await state();
      await handle({ action: 'revoke', kid: rotated.published[which][0] });
      expect(Object.values(await stages()).flat()).not.toContain('AWSPENDING');
      const before = await state();
      await rotateAndEnd();
      const after = await state();
      expect(after.current).toBe(before.next);
      expect(Object.values(after.published).flat()).not.toContain(rotated.published[which][0]);
      expect(await signsWhatVerifies()).toBe(true);
      await rotateAndEnd();
      expect(await signsWhatVerifies()).toBe(true);
    },
  );

  test('a rotation for another secret changes nothing', async () => {
    const before = await state();
    const event = { Step: 'createSecret', SecretId: keySet.ref, ClientRequestToken: 'x'.repeat(32) };
    await expect(handle(event)).rejects.toThrow('of another secret than that of the signing keys');
    expect(await state()).toEqual(before);
  });

  async function rotateAndEnd(): Promise<void> {
    done = [];
    const { VersionId = '' } = await client.send(new RotateSecretCommand({ SecretId: signingKey.ref }));
    await expect.poll(() => done).toEqual(rotationSteps);
    expect((await stages())[VersionId]).toEqual(['AWSCURRENT']);
  }
});

/** The key that was next signs, a new one is next, and the one before is retired with an end. */
async function expectRotated(before: Awaited<ReturnType<typeof state>>, version: string): Promise<void> {
  const after = await state();
  expect(after.signs.kid).toBe(before.next);
  expect([before.current, before.next]).not.toContain(after.next);
  expect(after.published).toEqual({
    current: [before.next],
    next: [after.next],
    retired: [before.current],
  });
  expect(after.ends).toEqual([before.current]);
  expect((await stages())[version]).toContain('AWSCURRENT');
  expect(await signsWhatVerifies()).toBe(true);
}
