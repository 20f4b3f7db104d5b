import { setTimeout as delay } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test } from 'vitest';
import type { AwsServices } from '../../emulator/aws-services.ts';
import type { Authorize } from '../../emulator/iam/authorize.ts';
import type { InvokeFunction } from '../../emulator/lambda/invoke.ts';
import { createAuthorize } from '../../emulator/policies.ts';
import type { Resource } from '../../emulator/shared/resource-type.ts';
import type { Log, LogFields } from '../../lambdas/shared/log.ts';
import { generateKey } from '../../lambdas/signing-keys/generate-key.ts';
import { createKeyHandler } from '../../lambdas/signing-keys/handle-key-event.ts';
import { createKeyStore } from '../../lambdas/signing-keys/key-store.ts';
import { rotationSteps } from '../../lambdas/signing-keys/rotate.ts';
import { createScheduleStore } from '../../lambdas/signing-keys/rotation-schedule.ts';
import { parseKeySet, parseSigningKeys } from '../../storage/signing-keys.ts';
import {
  type AwsRuns,
  clientFor,
  functionArn,
  functionRole,
  lambda,
  permission,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
  stack,
} from '../emulator/support/aws-services.ts';

const root = { AWS: `arn:aws:iam::${stack.accountId}:root` };
const throughSecretsManager = { 'kms:ViaService': `secretsmanager.${stack.region}.amazonaws.com` };
const useOfKey = { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: '*' };

/** The key policy of the stack: only the function may use the key, and whoever deploys may attach it to a secret. */
const key = resource('Key', 'AWS::KMS::Key', {
  KeyPolicy: policy(
    { Effect: 'Allow', Principal: root, Action: 'kms:PutKeyPolicy', Resource: '*' },
    {
      ...useOfKey,
      Principal: root,
      Condition: {
        StringEquals: {
          ...throughSecretsManager,
          'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess',
        },
      },
    },
    {
      ...useOfKey,
      Principal: { AWS: roleArnOf('Role') },
      Condition: { StringEquals: throughSecretsManager },
    },
  ),
});
const privateKeys = resource('PrivateKeys', 'AWS::SecretsManager::Secret', { KmsKeyId: key.attributes.Arn });
const keySet = resource('KeySet', 'AWS::SecretsManager::Secret', {});
const resources = [
  key,
  privateKeys,
  keySet,
  ...functionRole(
    'Role',
    { Effect: 'Allow', Action: 'secretsmanager:*', Resource: [privateKeys.ref, keySet.ref] },
    { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: functionArn('Rotate') },
  ),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

/** As many invocations run at the same time as the template reserves. */
const concurrency = 2;

interface StackOptions {
  /** Decides before the policies do. */
  readonly mayPass?: (seconds: number) => boolean;
  readonly template?: readonly Resource[];
}

let runs: AwsRuns | undefined;
const clients: SecretsManagerClient[] = [];
afterEach(async () => {
  await runs?.end();
  for (const client of clients.splice(0)) {
    client.destroy();
  }
});

/** The function's own code with its own rights, in the emulator. Waits are short, and pass in a time of their own. */
async function start({ mayPass = () => true, template = resources }: StackOptions = {}) {
  runs = await prepareRuns(template);
  const awsLog: Readonly<Record<string, unknown>>[] = [];
  const byPolicies = createAuthorize(template, stack, () => undefined);
  let seconds = 0;
  const authorize: Authorize = (call) =>
    call.principal.kind !== 'session' || mayPass(seconds)
      ? byPolicies(call)
      : { allowed: false, reason: 'not-allowed', by: 'the role' };
  const steps: string[] = [];
  let running = 0;
  const limited = async (event: unknown) => {
    if (running >= concurrency) {
      throw new Error('Rate Exceeded.');
    }
    running += 1;
    try {
      return await handle(event);
    } finally {
      running -= 1;
    }
  };
  let failing: string | undefined;
  const invoke: InvokeFunction = async (_, payload) => {
    const { Step: step } = payload as { Step: string };
    steps.push(step);
    if (step === failing) {
      return { ok: false, error: { errorType: 'Error', errorMessage: 'no' } };
    }
    try {
      return { ok: true, payload: await limited(payload) };
    } catch (error) {
      return { ok: false, error: { errorType: 'Error', errorMessage: String(error) } };
    }
  };
  const aws = await runs.start({ invoke, authorize, log: (line) => awsLog.push(line) });
  const client = secretsManager(aws, aws.credentialsForRole(roleArnOf('Role'), 'Rotate'));
  const operator = secretsManager(aws);
  const lines: LogFields[] = [];
  const log: Log = (level, message, fields = {}) => void lines.push({ level, message, ...fields });
  const answers: (string | undefined)[] = [];
  const deployment = (rotationDays: number) => {
    const handler = createKeyHandler({
      store: createKeyStore(client, { signingKey: privateKeys.ref, keySet: keySet.ref }),
      schedule: createScheduleStore(() => client, privateKeys.ref),
      rotationDays,
      signingKeySecretArn: privateKeys.ref,
      generateKey: () => generateKey('ES256'),
      tokenLifetimeSeconds: 3600,
      now: () => new Date(Date.now() + seconds * 1000),
      sleep: async (milliseconds) => {
        seconds += milliseconds / 1000;
        await delay(milliseconds / 25);
      },
      log,
      answerCustomResource: async (_, failure) => void answers.push(failure),
    });
    return (event: unknown) => handler(event, { invokedFunctionArn: functionArn('Rotate') });
  };
  let handle = deployment(90);
  const describeSecret = () => operator.send(new DescribeSecretCommand({ SecretId: privateKeys.ref }));
  const labels = async () => Object.values((await describeSecret()).VersionIdsToStages ?? {}).flat();
  return {
    aws,
    awsLog,
    client,
    steps,
    lines,
    handle: (event: unknown) => handle(event),
    failAt: (step: string | undefined) => {
      failing = step;
    },
    describeSecret,
    labels,
    seconds: () => seconds,
    /** @returns why the deployment failed */
    deploy: async (RequestType: 'Create' | 'Update' | 'Delete', days = 90) => {
      handle = deployment(days);
      await limited({
        RequestType,
        ResponseURL: 'https://cloudformation.example.com/',
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'FirstSigningKey',
      });
      return answers.at(-1);
    },
    keys: async () => {
      const text = async (SecretId: string) =>
        (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
      const { current, next } = parseSigningKeys(await text(privateKeys.ref));
      const published = parseKeySet(await text(keySet.ref)).keys.map(({ jwk }) => jwk.kid);
      return { current: current.kid, next: next.kid, published };
    },
    requestRotation: () => operator.send(new RotateSecretCommand({ SecretId: privateKeys.ref })),
  };
}

function secretsManager(aws: AwsServices, credentials = aws.operatorCredentials): SecretsManagerClient {
  const client = new SecretsManagerClient(clientFor(aws, credentials));
  clients.push(client);
  return client;
}

type Running = Awaited<ReturnType<typeof start>>;

async function expectRotates(service: Running): Promise<void> {
  const before = await service.keys();
  service.steps.length = 0;
  await service.requestRotation();
  await expect.poll(() => service.steps).toEqual(rotationSteps);
  await expect.poll(async () => (await service.keys()).current).toBe(before.next);
  await expect.poll(service.labels).not.toContain('AWSPENDING');
}

async function expectRevokes(service: Running): Promise<void> {
  const { current, next } = await service.keys();
  await service.handle({ action: 'revoke', kid: current });
  const after = await service.keys();
  expect(after.current).toBe(next);
  expect(after.published).not.toContain(current);
}

test('a first deployment sets the schedule, and keys rotate and can be revoked', async () => {
  const service = await start();
  expect(await service.deploy('Create')).toBeUndefined();
  expect(service.steps).toEqual(['testSecret']);
  expect(await service.describeSecret()).toMatchObject({
    RotationEnabled: true,
    RotationLambdaARN: functionArn('Rotate'),
    RotationRules: { AutomaticallyAfterDays: 90 },
  });
  expect(service.lines.map(({ message }) => message)).toContain('scheduleTested');
  expect(await service.labels()).not.toContain('AWSPENDING');
  await expectRotates(service);
  await expectRevokes(service);
  const failures = [...service.awsLog, ...service.lines].filter(({ level }) => /error/i.test(`${level}`));
  expect(failures).toEqual([]);
});

describe('a later deployment', () => {
  test('that changes nothing sets no schedule and runs no test', async () => {
    const service = await start();
    await service.deploy('Create');
    const { current } = await service.keys();
    expect(await service.deploy('Update')).toBeUndefined();
    expect(service.steps).toEqual(['testSecret']);
    expect((await service.keys()).current).toBe(current);
  });

  test('with another number of days sets it, and rotates nothing', async () => {
    const service = await start();
    await service.deploy('Create');
    const before = await service.keys();
    expect(await service.deploy('Update', 30)).toBeUndefined();
    expect((await service.describeSecret()).RotationRules).toEqual({ AutomaticallyAfterDays: 30 });
    expect(await service.keys()).toEqual(before);
  });

  test('that sets the schedule gives up a rotation that is stuck', async () => {
    const service = await start();
    await service.deploy('Create');
    const before = await service.keys();
    service.failAt('setSecret');
    await service.requestRotation();
    await expect.poll(() => service.steps.at(-1)).toBe('setSecret');
    expect(await service.labels()).toContain('AWSPENDING');
    service.failAt(undefined);
    expect(await service.deploy('Update', 7)).toBeUndefined();
    expect((await service.describeSecret()).RotationRules).toEqual({ AutomaticallyAfterDays: 7 });
    expect(await service.labels()).not.toContain('AWSPENDING');
    expect((await service.keys()).current).toBe(before.current);
    await expectRotates(service);
  });

  test('sets the schedule that a secret has lost, as an operator can', async () => {
    const service = await start();
    await service.deploy('Create');
    await service.handle({ action: 'schedule' });
    expect(service.steps).toEqual(['testSecret']);
    await service.deploy('Update', 7);
    await service.deploy('Update', 7);
    expect(service.steps).toEqual(['testSecret', 'testSecret']);
  });

  test('that deletes the custom resource leaves keys and schedule as they are', async () => {
    const service = await start();
    await service.deploy('Create');
    const before = await service.keys();
    expect(await service.deploy('Delete')).toBeUndefined();
    expect((await service.describeSecret()).RotationEnabled).toBe(true);
    expect(await service.keys()).toEqual(before);
  });
});

describe('while AWS does not know the permissions of the function yet', () => {
  const waits = (service: Running) => service.lines.filter(({ message }) => message === 'deploymentWaits');

  test.each([5, 55])('for %d seconds, the first deployment waits and succeeds', async (delaySeconds) => {
    const service = await start({ mayPass: (seconds) => seconds >= delaySeconds });
    expect(await service.deploy('Create')).toBeUndefined();
    expect((await service.describeSecret()).RotationEnabled).toBe(true);
    expect(waits(service).length).toBeGreaterThan(0);
    for (const line of waits(service)) {
      expect(line).toMatchObject({ level: 'WARN', error_name: 'AccessDeniedException' });
      expect(line.wait_milliseconds).toBeGreaterThanOrEqual(1000);
    }
  });

  test('and never will, the deployment fails after about a minute with the reason', async () => {
    const service = await start({ mayPass: () => false });
    expect(await service.deploy('Create')).toMatch(/^AccessDeniedException: .* is not authorized to perform/);
    expect(service.seconds()).toBeGreaterThan(45);
    expect(service.seconds()).toBeLessThanOrEqual(60);
  });

  test('a rotation and a revocation fail without a wait', async () => {
    let known = true;
    const service = await start({ mayPass: () => known });
    await service.deploy('Create');
    const { current } = await service.keys();
    known = false;
    const seconds = service.seconds();
    await expect(service.handle({ action: 'revoke', kid: current })).rejects.toThrow('AccessDenied');
    const step = { Step: 'createSecret', SecretId: privateKeys.ref, ClientRequestToken: 'x'.repeat(32) };
    await expect(service.handle(step)).rejects.toThrow('AccessDenied');
    expect(service.seconds()).toBe(seconds);
  });
});

test('a schedule in the template would be refused: whoever deploys may not use the key of the secret', async () => {
  const schedule = resource('Schedule', 'AWS::SecretsManager::RotationSchedule', {
    SecretId: privateKeys.ref,
    RotationLambdaARN: functionArn('Rotate'),
    RotationRules: { AutomaticallyAfterDays: 90 },
    RotateImmediatelyOnUpdate: false,
  });
  const { aws } = await start({ template: [...resources, schedule] });
  await expect(aws.setTemplateSchedules()).rejects.toThrow(
    /^Resource Schedule .*Access to KMS is not allowed/,
  );
});
