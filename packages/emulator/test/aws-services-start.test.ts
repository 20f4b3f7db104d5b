import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import type { Resource } from '../shared/resource-type.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  lambda,
  permission,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
} from './support/aws-services.ts';

function table(key: string): Resource {
  return resource('Table', 'AWS::DynamoDB::Table', {
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
}

let runs: AwsRuns | undefined;
afterEach(() => runs?.end());

describe('the start of the AWS endpoints', () => {
  it('keeps a table that is there, and refuses one whose keys have changed', async () => {
    runs = await prepareRuns([table('id')]);
    await (await runs.start()).close();
    const again = await runs.start();
    const dynamodb = new DynamoDBClient(clientFor(again));
    expect((await dynamodb.send(new ListTablesCommand({}))).TableNames).toEqual(['test-Table']);
    dynamodb.destroy();
    await again.close();
    const changed = runs.start({ resources: [table('other')] });
    await expect(changed).rejects.toThrow(/^Table: .* Empty the state folder/);
  });

  it('keeps its root secret to this user', async () => {
    runs = await prepareRuns([]);
    await runs.start();
    expect((await stat(join(runs.stateDirectory, 'root-secret'))).mode & 0o777).toBe(0o600);
  });
});

describe('what AWS would refuse to deploy', () => {
  const root = { AWS: 'arn:aws:iam::000000000000:root' };
  const mayAdminister = { Effect: 'Allow', Principal: root, Action: 'kms:PutKeyPolicy', Resource: '*' };
  const key = resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy(mayAdminister) });
  const role = functionRole('Role', { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' });
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: roleArnOf('Other') } };

  it.each([
    [
      'a function whose role does not trust Lambda',
      [resource('Role', 'AWS::IAM::Role', { AssumeRolePolicyDocument: policy(trust) }), lambda('Fn')],
      /^Fn: The role defined for the function cannot be assumed by Lambda/,
    ],
    [
      'a dead-letter queue that the role may not send to',
      [
        ...role,
        lambda('Fn', { DeadLetterConfig: { TargetArn: 'arn:aws:sqs:us-east-1:000000000000:test-Q' } }),
      ],
      /^Fn: .* does not have permissions to call SendMessage on SQS/,
    ],
    [
      'a permission to invoke for anybody but a service',
      [...role, lambda('Fn'), permission('Fn', '*', {})],
      /^FnPermission: only services of AWS/,
    ],
    [
      'a key that nobody can look after',
      [resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy({ ...mayAdminister, Action: 'kms:Decrypt' }) })],
      /^Key: .* update the key policy/,
    ],
    [
      'a policy without a statement',
      [resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy() })],
      /^Key: a policy needs a statement/,
    ],
    [
      'a secret under a key that its maker may not use',
      [key, resource('Private', 'AWS::SecretsManager::Secret', { KmsKeyId: key.attributes.Arn })],
      /Access to KMS is not allowed/,
    ],
  ])('stops the start: %s', async (_, resources, message) => {
    runs = await prepareRuns(resources);
    await expect(runs.start()).rejects.toThrow(message);
  });
});
