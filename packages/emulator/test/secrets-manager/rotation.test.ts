import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import type { InvokeFunction } from '../../lambda/invoke.ts';
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
} from '../support/aws-services.ts';

const secret = resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'first' });
const resources = [
  secret,
  ...functionRole('Role', { Effect: 'Allow', Action: 'secretsmanager:*', Resource: secret.ref }),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

interface Step {
  readonly Step: string;
  readonly ClientRequestToken: string;
}

let runs: AwsRuns;
let aws: AwsServices;
let client: SecretsManagerClient;
let steps: string[];
let failAt: string | undefined;
let now: () => Date;
/** What the function waits for when AWSCURRENT has been moved. */
let beforeEnd: () => Promise<void>;

/** A rotation function as AWS documents it. */
const rotate: InvokeFunction = async (_, payload) => {
  const { Step: step, ClientRequestToken: token } = payload as Step;
  steps.push(step);
  if (step === failAt) {
    return { ok: false, error: { errorType: 'Error', errorMessage: 'no' } };
  }
  if (step === 'createSecret') {
    await client.send(
      new PutSecretValueCommand({
        SecretId: secret.ref,
        ClientRequestToken: token,
        SecretString: `value of ${token}`,
        VersionStages: ['AWSPENDING'],
      }),
    );
  }
  if (step === 'finishSecret') {
    const { VersionIdsToStages = {} } = await client.send(
      new DescribeSecretCommand({ SecretId: secret.ref }),
    );
    const current = Object.keys(VersionIdsToStages).find((id) =>
      VersionIdsToStages[id]?.includes('AWSCURRENT'),
    );
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secret.ref,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: token,
        RemoveFromVersionId: current,
      }),
    );
    await beforeEnd();
  }
  return { ok: true, payload: null };
};

beforeEach(async () => {
  [steps, failAt, now] = [[], undefined, () => new Date()];
  beforeEnd = async () => undefined;
  runs = await prepareRuns(resources);
  aws = await runs.start({ invoke: rotate, now: () => now() });
  client = new SecretsManagerClient(clientFor(aws));
  const schedule = {
    RotationLambdaARN: functionArn('Rotate'),
    RotationRules: { AutomaticallyAfterDays: 90 },
  };
  await client.send(new RotateSecretCommand({ SecretId: secret.ref, RotateImmediately: false, ...schedule }));
  steps = [];
});
afterEach(async () => {
  await runs.end();
  client.destroy();
});

const allSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

async function value(stage = 'AWSCURRENT'): Promise<string | undefined> {
  const get = new GetSecretValueCommand({ SecretId: secret.ref, VersionStage: stage });
  return (await client.send(get)).SecretString;
}

describe('RotateSecret', () => {
  it('calls the function with the four steps and one token', async () => {
    const { VersionId } = await client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    await expect.poll(() => value()).toBe(`value of ${VersionId}`);
    expect(steps).toEqual(allSteps);
    expect(await value('AWSPREVIOUS')).toBe('first');
    const described = await client.send(new DescribeSecretCommand({ SecretId: secret.ref }));
    expect(described.RotationEnabled).toBe(true);
    expect(described.RotationRules?.AutomaticallyAfterDays).toBe(90);
    await expect
      .poll(
        async () => (await client.send(new DescribeSecretCommand({ SecretId: secret.ref }))).LastRotatedDate,
      )
      .toBeInstanceOf(Date);
  });

  it('begins another rotation when the one before is at its last step, and runs it after that', async () => {
    let letGo: () => void = () => undefined;
    beforeEnd = () => new Promise((resolve) => (letGo = resolve));
    const first = await client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    await expect.poll(() => value()).toBe(`value of ${first.VersionId}`);
    beforeEnd = async () => undefined;
    const second = await client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    letGo();
    await expect.poll(() => value()).toBe(`value of ${second.VersionId}`);
    expect(steps).toEqual([...allSteps, ...allSteps]);
  });

  it('takes one of two requests that come at the same time', async () => {
    const request = () => client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    const outcomes = await Promise.allSettled([request(), request()]);
    const [taken, ...others] = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(others).toEqual([]);
    expect(refused.map(({ reason }) => reason.name)).toEqual(['InvalidRequestException']);
    await expect.poll(() => value()).toBe(`value of ${taken?.value.VersionId}`);
    await expect.poll(() => steps).toEqual(allSteps);
  });

  it('stops at a step that fails, and later goes on with the same version', async () => {
    failAt = 'testSecret';
    const { VersionId } = await client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    await expect.poll(() => steps).toEqual(allSteps.slice(0, 3));
    expect(await value()).toBe('first');
    expect(await value('AWSPENDING')).toBe(`value of ${VersionId}`);
    [steps, failAt] = [[], undefined];
    const again = client.send(new RotateSecretCommand({ SecretId: secret.ref }));
    await expect(again).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
    await expect.poll(() => value()).toBe(`value of ${VersionId}`);
    expect(steps).toEqual(allSteps);
  });
});

describe('a rotation schedule', () => {
  it('rotates what is due at start and nothing before', async () => {
    aws.startBackgroundWork();
    await client.send(new DescribeSecretCommand({ SecretId: secret.ref }));
    expect(steps).toEqual([]);
    await aws.close();
    const future = Date.now() + 91 * 24 * 60 * 60 * 1000;
    now = () => new Date(future);
    aws = await runs.start({ invoke: rotate, now: () => now() });
    client.destroy();
    client = new SecretsManagerClient({ ...clientFor(aws), systemClockOffset: future - Date.now() });
    aws.startBackgroundWork();
    await expect.poll(() => steps).toEqual(allSteps);
    await expect.poll(() => value()).toMatch(/^value of /);
  });
});
