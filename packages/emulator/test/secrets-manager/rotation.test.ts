import type { RotateSecretCommandInput, SecretsManager } from '@aws-sdk/client-secrets-manager';
import type { InvokeFunction } from '../../lambda/invoke.ts';
import type { RunningServices } from '../../running-services.ts';
import {
  type AwsRuns,
  allow,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  resource,
  secretKey,
  stack,
} from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const key = secretKey('Role');
const secret = resource('Secret', 'AWS::SecretsManager::Secret', {
  SecretString: 'first',
  KmsKeyId: key.attributes.Arn,
});
const mayRotate = allow('secretsmanager:*', secret.ref);
const resources = [
  key,
  secret,
  ...functionRole('Role', mayRotate, allow('lambda:InvokeFunction', functionArn('Rotate'))),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

interface Step {
  readonly Step: string;
  readonly ClientRequestToken: string;
}

let runs: AwsRuns;
let aws: RunningServices;
let client: SecretsManager;
let steps: string[];
let failAt: string | undefined;
let now: () => Date;
/** Runs in the function after AWSCURRENT has moved, before the function ends. */
let beforeEnd: () => Promise<void>;

/** A rotation function as AWS documents it. */
const rotate: InvokeFunction = async (_, payload) => {
  const { Step: step, ClientRequestToken: token } = payload as Step;
  steps.push(step);
  if (step === failAt) {
    return { ok: false, error: { errorType: 'Error', errorMessage: 'no' } };
  }
  if (step === 'createSecret') {
    await client.putSecretValue({
      SecretId: secret.ref,
      ClientRequestToken: token,
      SecretString: `value of ${token}`,
      VersionStages: ['AWSPENDING'],
    });
  }
  if (step === 'finishSecret') {
    const current = await client.getSecretValue({ SecretId: secret.ref });
    await client.updateSecretVersionStage({
      SecretId: secret.ref,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: token,
      RemoveFromVersionId: current.VersionId,
    });
    await beforeEnd();
  }
  return { ok: true, payload: null };
};

const schedule: RotateSecretCommandInput = {
  SecretId: secret.ref,
  RotationLambdaARN: functionArn('Rotate'),
  RotationRules: { AutomaticallyAfterDays: 90 },
  RotateImmediately: false,
};

async function start(invoke = rotate): Promise<void> {
  aws = await runs.start({ invoke, now: () => now() });
  client = clients(aws, 'Role').secrets;
}

beforeEach(async () => {
  [steps, failAt, now] = [[], undefined, () => new Date()];
  beforeEnd = async () => undefined;
  runs = await prepareRuns(resources);
});

const allSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

const describeSecret = () => client.describeSecret({ SecretId: secret.ref });

const rotateNow = () => client.rotateSecret({ SecretId: secret.ref });

async function value(stage = 'AWSCURRENT'): Promise<string | undefined> {
  const get = { SecretId: secret.ref, VersionStage: stage };
  return (await client.getSecretValue(get)).SecretString;
}

/** Starts with a schedule. */
async function startScheduled(): Promise<void> {
  await start();
  await client.rotateSecret(schedule);
  steps = [];
}

describe('RotateSecret', () => {
  beforeEach(startScheduled);

  it('calls the function with the four steps and one token', async () => {
    const { VersionId } = await rotateNow();
    await expect.poll(() => value()).toBe(`value of ${VersionId}`);
    expect(steps).toEqual(allSteps);
    expect(await value('AWSPREVIOUS')).toBe('first');
    await expect.poll(describeSecret).toMatchObject({
      RotationEnabled: true,
      RotationRules: { AutomaticallyAfterDays: 90 },
      LastRotatedDate: expect.any(Date),
    });
  });

  it('runs another rotation after the last step of an earlier one', async () => {
    let letGo: () => void = () => undefined;
    beforeEnd = () => new Promise((resolve) => (letGo = resolve));
    const first = await rotateNow();
    await expect.poll(() => value()).toBe(`value of ${first.VersionId}`);
    beforeEnd = async () => undefined;
    const second = await rotateNow();
    letGo();
    await expect.poll(() => value()).toBe(`value of ${second.VersionId}`);
    expect(steps).toEqual([...allSteps, ...allSteps]);
  });

  it('accepts one of two concurrent requests', async () => {
    const outcomes = await Promise.allSettled([rotateNow(), rotateNow()]);
    const [taken, ...others] = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(others).toEqual([]);
    expect(rejected.map(({ reason }) => reason.name)).toEqual(['InvalidRequestException']);
    await expect.poll(() => value()).toBe(`value of ${taken?.value.VersionId}`);
    await expect.poll(() => steps).toEqual(allSteps);
  });

  it('stops at a failed step, and later retries with the same version', async () => {
    failAt = 'testSecret';
    const { VersionId } = await rotateNow();
    await expect.poll(() => steps).toEqual(allSteps.slice(0, 3));
    expect(await value()).toBe('first');
    expect(await value('AWSPENDING')).toBe(`value of ${VersionId}`);
    [steps, failAt] = [[], undefined];
    await expect(rotateNow()).rejects.toThrow(
      "A previous rotation isn't complete. That rotation will be reattempted.",
    );
    await expect.poll(() => value()).toBe(`value of ${VersionId}`);
    expect(steps).toEqual(allSteps);
  });
});

it('a schedule rotates due secrets at the start, and never earlier', async () => {
  await startScheduled();
  aws.startBackgroundWork();
  await value();
  expect(steps).toEqual([]);
  await aws.close();
  const future = Date.now() + 91 * 24 * 60 * 60 * 1000;
  now = () => new Date(future);
  await start();
  client.config.systemClockOffset = future - Date.now();
  aws.startBackgroundWork();
  await expect.poll(() => steps).toEqual(allSteps);
  await expect.poll(() => value()).toContain('value of ');
});

describe('RotateSecret without a rotation', () => {
  /** Returns the labels of all versions. */
  const stages = async () => Object.values((await describeSecret()).VersionIdsToStages ?? {}).flat();

  it('invokes testSecret on an empty version, and sets the schedule', async () => {
    const invocations: unknown[] = [];
    await start(async (_, payload) => {
      invocations.push([payload, await stages()]);
      await expect(value('AWSPENDING')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
      return { ok: true, payload: null };
    });
    const { VersionId } = await client.rotateSecret(schedule);
    const payload = { Step: 'testSecret', SecretId: secret.ref, ClientRequestToken: VersionId };
    expect(invocations).toEqual([[payload, ['AWSCURRENT', 'AWSPENDING']]]);
    expect(await stages()).toEqual(['AWSCURRENT']);
    expect(await describeSecret()).toMatchObject({
      RotationEnabled: true,
      NextRotationDate: expect.any(Date),
    });
    expect(await value()).toBe('first');
  });

  it('rejects a schedule if its test fails', async () => {
    failAt = 'testSecret';
    await start();
    await expect(client.rotateSecret(schedule)).rejects.toThrow('The test of the rotation failed: Error: no');
    expect((await describeSecret()).RotationEnabled ?? false).toBe(false);
  });

  it('requires that the caller may use the key', async () => {
    await start();
    await expect(clients(aws).secrets.rotateSecret(schedule)).rejects.toThrow('Access to KMS is not allowed');
  });

  // The recording `rotation-by-unknown-function` covers the permission of Secrets Manager.
  it('requires that the caller may invoke the function', async () => {
    const others = resources.filter(({ type }) => !type.startsWith('AWS::IAM'));
    runs = await prepareRuns([...functionRole('Role', mayRotate), ...others]);
    await start();
    await expect(client.rotateSecret(schedule)).rejects.toThrow(
      'is not authorized to perform: lambda:InvokeFunction',
    );
    expect(steps).toEqual([]);
  });
});
