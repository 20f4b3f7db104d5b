import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  allow,
  byIndex,
  functionRole,
  lambda,
  permission,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
  table,
} from './support/aws-services.ts';
import { clients } from './support/clients.ts';

describe('the start of the AWS endpoints', () => {
  it('keeps a table, makes changed indexes anew, refuses changed keys', async () => {
    const runs = await prepareRuns([table({ 'by-owner': 'owner', 'by-state': 'state' })]);
    const started = await runs.start();
    const first = clients(started).dynamodb;
    // More than one page of a scan.
    const items = Array.from({ length: 30 }, (_, number) => ({
      id: { S: String(number) },
      owner: { S: `owner-${number % 3}` },
      state: { S: `state-${number % 2}` },
      text: { S: 'x'.repeat(50_000) },
    }));
    await Promise.all(items.map((Item) => first.send(new PutItemCommand({ TableName: 'test-Table', Item }))));
    await started.close();

    const changed = await runs.start({
      resources: [table({ 'by-owner': 'state', 'by-text': 'owner' })],
    });
    const second = clients(changed).dynamodb;
    const idsOf = async (IndexName: string, name: string, value: string) => {
      const { Items = [] } = await second.send(new QueryCommand(byIndex(IndexName, name, value)));
      return Items.map(({ id }) => Number(id?.S)).toSorted((a, b) => a - b);
    };
    const every = (step: number, from: number) =>
      items.map((_, number) => number).filter((number) => number % step === from);
    expect(await idsOf('by-owner', 'state', 'state-1')).toEqual(every(2, 1));
    expect(await idsOf('by-text', 'owner', 'owner-2')).toEqual(every(3, 2));
    await expect(idsOf('by-state', 'state', 'state-1')).rejects.toThrow('by-state');
    await changed.close();
    const other = runs.start({ resources: [table({}, { key: 'other' })] });
    await expect(other).rejects.toThrow(/^Table: .* Empty the state folder/);
  });

  it('keeps its root secret to this user', async () => {
    const runs = await prepareRuns([]);
    await runs.start();
    expect((await stat(join(runs.stateDirectory, 'root-secret'))).mode & 0o777).toBe(0o600);
  });
});

describe('what AWS would refuse to deploy', () => {
  const root = { AWS: 'arn:aws:iam::000000000000:root' };
  const mayAdminister = { Effect: 'Allow', Principal: root, Action: 'kms:PutKeyPolicy', Resource: '*' };
  const key = resource('Key', 'AWS::KMS::Key', { KeyPolicy: policy(mayAdminister) });
  const role = functionRole('Role', allow('s3:GetObject', '*'));
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
    const runs = await prepareRuns(resources);
    await expect(runs.start()).rejects.toThrow(message);
  });
});
