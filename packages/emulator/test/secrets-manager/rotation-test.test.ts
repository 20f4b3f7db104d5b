import type { RotateSecretCommandInput, SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import type { InvokeResult } from '../../lambda/invoke.ts';
import {
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
const mayInvoke = allow('lambda:InvokeFunction', functionArn('Rotate'));
const resources = [
  key,
  secret,
  ...functionRole('Role', mayRotate, mayInvoke),
  lambda('Rotate'),
  permission('Rotate', 'secretsmanager.amazonaws.com', { SourceAccount: stack.accountId }),
];

let client: SecretsManager;

const schedule: RotateSecretCommandInput = {
  SecretId: secret.ref,
  RotationLambdaARN: functionArn('Rotate'),
  RotationRules: { AutomaticallyAfterDays: 30 },
  RotateImmediately: false,
};

const describeSecret = () => client.describeSecret({ SecretId: secret.ref });

/** Returns the labels of all versions. */
const stages = async () => Object.values((await describeSecret()).VersionIdsToStages ?? {}).flat();

/** Starts on a template, with a function that records its calls and the state of the secret at each call. */
async function start(template = resources, result: InvokeResult = { ok: true, payload: null }) {
  const runs = await prepareRuns(template);
  const invocations: { readonly payload: unknown; readonly stages: readonly string[] }[] = [];
  const aws = await runs.start({
    invoke: async (_, payload) => {
      invocations.push({ payload, stages: await stages() });
      const pending = { SecretId: secret.ref, VersionStage: 'AWSPENDING' };
      await expect(client.getSecretValue(pending)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
      });
      return result;
    },
  });
  client = clients(aws, 'Role').secrets;
  return { aws, invocations };
}

describe('RotateSecret without a rotation', () => {
  test('invokes testSecret on an empty version, and sets the schedule', async () => {
    const { invocations } = await start();
    const { VersionId } = await client.rotateSecret(schedule);
    const payload = { Step: 'testSecret', SecretId: secret.ref, ClientRequestToken: VersionId };
    expect(invocations).toEqual([{ payload, stages: ['AWSCURRENT', 'AWSPENDING'] }]);
    expect(await stages()).toEqual(['AWSCURRENT']);
    expect(await describeSecret()).toMatchObject({
      RotationEnabled: true,
      NextRotationDate: expect.any(Date),
    });
    const { SecretString } = await client.getSecretValue({ SecretId: secret.ref });
    expect(SecretString).toBe('first');
  });

  test('rejects a schedule if its test fails', async () => {
    await start(resources, { ok: false, error: { errorType: 'Error', errorMessage: 'no' } });
    await expect(client.rotateSecret(schedule)).rejects.toThrow('The test of the rotation failed: Error: no');
    expect((await describeSecret()).RotationEnabled ?? false).toBe(false);
  });
});

describe('permissions for a test', () => {
  test("are the caller's, who must be allowed to use the key", async () => {
    const { aws } = await start();
    await expect(clients(aws).secrets.rotateSecret(schedule)).rejects.toThrow('Access to KMS is not allowed');
  });

  // The recording `rotation-by-unknown-function` covers the permission of Secrets Manager.
  test('are rejected when the caller may not invoke the function', async () => {
    const others = resources.filter(({ type }) => !type.startsWith('AWS::IAM'));
    const { invocations } = await start([...functionRole('Role', mayRotate), ...others]);
    await expect(client.rotateSecret(schedule)).rejects.toThrow(
      'is not authorized to perform: lambda:InvokeFunction',
    );
    expect(invocations).toEqual([]);
  });
});
