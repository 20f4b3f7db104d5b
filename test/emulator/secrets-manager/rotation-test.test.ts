import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test } from 'vitest';
import type { AwsServices } from '../../../emulator/aws-services.ts';
import type { RotationTest } from '../../../emulator/secrets-manager/rotation-test.ts';
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
} from '../support/aws-services.ts';

const root = { AWS: `arn:aws:iam::${stack.accountId}:root` };
const use = { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: '*' };
const attached = { 'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess' };
const key = resource('Key', 'AWS::KMS::Key', {
  KeyPolicy: policy(
    { Effect: 'Allow', Principal: root, Action: 'kms:PutKeyPolicy', Resource: '*' },
    { ...use, Principal: root, Condition: { StringEquals: attached } },
    { ...use, Principal: { AWS: roleArnOf('Role') } },
  ),
});
const secret = resource('Secret', 'AWS::SecretsManager::Secret', {
  SecretString: 'first',
  KmsKeyId: key.attributes.Arn,
});
const mayRotate = { Effect: 'Allow', Action: 'secretsmanager:*', Resource: secret.ref };
const mayInvoke = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: functionArn('Rotate') };
const resources = [
  key,
  secret,
  ...functionRole('Role', mayRotate, mayInvoke),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

let runs: AwsRuns;
let client: SecretsManagerClient;
afterEach(async () => {
  await runs.end();
  client.destroy();
});

const schedule: RotateSecretCommandInput = {
  SecretId: secret.ref,
  RotationLambdaARN: functionArn('Rotate'),
  RotationRules: { AutomaticallyAfterDays: 30 },
  RotateImmediately: false,
};

/** The secret, when the function is invoked for the test and when RotateSecret has answered. */
async function start(
  rotationTest: Partial<RotationTest> = {},
  { fails = false, template = resources }: { fails?: boolean; template?: typeof resources } = {},
) {
  runs = await prepareRuns(template);
  const invocations: { readonly payload: unknown; readonly pending: string }[] = [];
  const log: Readonly<Record<string, unknown>>[] = [];
  const pending = async () => {
    const input = { SecretId: secret.ref, VersionStage: 'AWSPENDING' };
    const { VersionIdsToStages = {} } = await client.send(
      new DescribeSecretCommand({ SecretId: secret.ref }),
    );
    if (!Object.values(VersionIdsToStages).flat().includes('AWSPENDING')) {
      return 'none';
    }
    return client.send(new GetSecretValueCommand(input)).then(
      ({ SecretString = '' }) => SecretString,
      (error: Error) => error.name,
    );
  };
  const aws: AwsServices = await runs.start({
    invoke: async (_, payload) => {
      invocations.push({ payload, pending: await pending() });
      return fails
        ? { ok: false, error: { errorType: 'Error', errorMessage: 'no' } }
        : { ok: true, payload: null };
    },
    anomalies: { rotationTest },
    log: (line) => log.push(line),
  });
  client = new SecretsManagerClient(clientFor(aws, aws.credentialsForRole(roleArnOf('Role'), 'Rotate')));
  const describeSecret = () => client.send(new DescribeSecretCommand({ SecretId: secret.ref }));
  return { aws, invocations, log, pending, describeSecret };
}

describe('RotateSecret that does not rotate', () => {
  test('sets the schedule, and invokes testSecret on an empty version that is removed', async () => {
    const { invocations, pending, describeSecret } = await start();
    const { VersionId } = await client.send(new RotateSecretCommand(schedule));
    const payload = { Step: 'testSecret', SecretId: secret.ref, ClientRequestToken: VersionId };
    expect(invocations).toEqual([{ payload, pending: 'ResourceNotFoundException' }]);
    expect(await pending()).toBe('none');
    expect(await describeSecret()).toMatchObject({
      RotationEnabled: true,
      RotationLambdaARN: functionArn('Rotate'),
      RotationRules: { AutomaticallyAfterDays: 30 },
      NextRotationDate: expect.any(Date),
    });
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret.ref }));
    expect(SecretString).toBe('first');
  });

  test('keeps the schedule when it starts again', async () => {
    const { aws, describeSecret } = await start();
    await client.send(new RotateSecretCommand(schedule));
    await aws.close();
    const again = await runs.start();
    client.destroy();
    client = new SecretsManagerClient(clientFor(again));
    expect((await describeSecret()).RotationRules).toEqual({ AutomaticallyAfterDays: 30 });
  });

  test('can test a copy of the current version', async () => {
    const { invocations } = await start({ pending: 'copy' });
    await client.send(new RotateSecretCommand(schedule));
    expect(invocations.map(({ pending }) => pending)).toEqual(['first']);
  });

  test('can test without a version', async () => {
    const { invocations, pending } = await start({ pending: 'none', afterwards: 'left' });
    await client.send(new RotateSecretCommand(schedule));
    expect(invocations.map((it) => it.pending)).toEqual(['none']);
    expect(await pending()).toBe('none');
  });

  test('can leave the version, which then counts as a rotation that is not complete', async () => {
    const { pending } = await start({ pending: 'copy', afterwards: 'left' });
    await client.send(new RotateSecretCommand(schedule));
    expect(await pending()).toBe('first');
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: "A previous rotation isn't complete. That rotation will be reattempted.",
    });
  });

  test('can answer before the test, whose failure is only logged', async () => {
    const { invocations, log, describeSecret } = await start({ invoked: 'after' }, { fails: true });
    await client.send(new RotateSecretCommand(schedule));
    await expect.poll(() => invocations.length).toBe(1);
    await expect.poll(() => log.map(({ message }) => message)).toContain('test of a rotation failed');
    expect((await describeSecret()).RotationEnabled).toBe(true);
  });

  test('refuses a schedule whose test fails', async () => {
    const { describeSecret } = await start({}, { fails: true });
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    expect((await describeSecret()).RotationEnabled ?? false).toBe(false);
  });
});

describe('rights for a test', () => {
  test.each([
    ['caller', 'AccessDeniedException'],
    ['function', undefined],
  ] as const)('are those of the %s: whoever may not use the key gets %s', async (rights, refused) => {
    const { aws } = await start({ rights });
    client.destroy();
    client = new SecretsManagerClient(clientFor(aws));
    const name = await client.send(new RotateSecretCommand(schedule)).then(
      () => undefined,
      (error: Error) => error.name,
    );
    expect(name).toBe(refused);
  });

  test.each([
    [
      'the caller',
      [...functionRole('Role', mayRotate), ...resources.filter(({ type }) => !type.startsWith('AWS::IAM'))],
      /is not authorized to perform: lambda:InvokeFunction/,
    ],
    [
      'Secrets Manager',
      resources.filter(({ type }) => type !== 'AWS::Lambda::Permission'),
      /^Secrets Manager cannot invoke the specified Lambda function/,
    ],
  ])('are refused when %s may not invoke the function', async (_, template, text) => {
    const { invocations } = await start({}, { template });
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toThrow(text);
    expect(invocations).toEqual([]);
  });
});
