import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, test } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
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
async function start({
  fails = false,
  template = resources,
}: {
  fails?: boolean;
  template?: typeof resources;
} = {}) {
  runs = await prepareRuns(template);
  const invocations: { readonly payload: unknown; readonly pending: string }[] = [];
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
  });
  client = new SecretsManagerClient(clientFor(aws, aws.credentialsForRole(roleArnOf('Role'), 'Rotate')));
  const describeSecret = () => client.send(new DescribeSecretCommand({ SecretId: secret.ref }));
  return { aws, invocations, pending, describeSecret };
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

  test('refuses a schedule whose test fails', async () => {
    const { describeSecret } = await start({ fails: true });
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    expect((await describeSecret()).RotationEnabled ?? false).toBe(false);
  });
});

describe('rights for a test', () => {
  test('are those of the caller, who must be allowed to use the key', async () => {
    const { aws } = await start();
    client.destroy();
    client = new SecretsManagerClient(clientFor(aws));
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
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
    const { invocations } = await start({ template });
    await expect(client.send(new RotateSecretCommand(schedule))).rejects.toThrow(text);
    expect(invocations).toEqual([]);
  });
});
