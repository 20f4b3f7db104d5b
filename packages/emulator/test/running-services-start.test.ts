import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  allow,
  functionRole,
  lambda,
  permission,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
} from './support/aws-services.ts';

it('only this user may read the root secret', async () => {
  const runs = await prepareRuns([]);
  await runs.start();
  expect((await stat(join(runs.stateDirectory, 'root-secret'))).mode & 0o777).toBe(0o600);
});

describe('a stack that AWS would not deploy', () => {
  const root = { AWS: 'arn:aws:iam::000000000000:root' };
  const mayAdminister = { Effect: 'Allow', Principal: root, Action: 'kms:PutKeyPolicy', Resource: '*' };
  const key = resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy(mayAdminister) });
  const role = functionRole('Role', allow('s3:GetObject', '*'));
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: roleArnOf('Other') } };

  it.each([
    [
      'a function whose role does not trust Lambda',
      [resource('Role', 'AWS::IAM::Role', { AssumeRolePolicyDocument: policy(trust) }), lambda('Fn')],
      'Fn: The role defined for the function cannot be assumed by Lambda.',
    ],
    [
      'a dead-letter queue that the role may not send to',
      [
        ...role,
        lambda('Fn', { DeadLetterConfig: { TargetArn: 'arn:aws:sqs:us-east-1:000000000000:test-Q' } }),
      ],
      'Fn: The provided execution role does not have permissions to call SendMessage on SQS',
    ],
    [
      'a permission to invoke for a principal that is not a service',
      [...role, lambda('Fn'), permission('Fn', '*', {})],
      'FnPermission: only services of AWS may be permitted to invoke, not *',
    ],
    [
      'a key that nobody can administer',
      [resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy({ ...mayAdminister, Action: 'kms:Decrypt' }) })],
      'Key: the key policy would not allow anybody to update the key policy in the future',
    ],
    [
      'a policy without a statement',
      [resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy() })],
      'Key: a policy needs a statement',
    ],
    [
      'a secret under a key that the deployer may not use',
      [key, resource('Private', 'AWS::SecretsManager::Secret', { KmsKeyId: key.attributes.Arn })],
      'arn:aws:secretsmanager:us-east-1:000000000000:secret:test-Private-61feb3: Access to KMS is not allowed (kms:GenerateDataKey)',
    ],
  ])('stops the start: %s', async (_, resources, message) => {
    const runs = await prepareRuns(resources);
    await expect(runs.start()).rejects.toThrow(message);
  });
});
