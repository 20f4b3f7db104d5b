import { describe, expect, it } from 'vitest';
import { createCloudFormation } from '../../cloudformation/service.ts';
import { resource, stack } from '../support/aws-services.ts';

const id = 'arn:aws:cloudformation:us-east-1:000000000000:stack/test/local';

function service(denied: readonly string[] = []) {
  const asked: string[] = [];
  const call = createCloudFormation({
    stack,
    resources: [resource('Errors', 'AWS::SQS::Queue', {})],
    now: () => new Date('2026-01-01T00:00:00Z'),
    authorize: ({ action, resource }) => {
      asked.push(`${action} on ${resource}`);
      return denied.includes(action)
        ? { allowed: false, reason: 'not-allowed', by: 'identity' }
        : { allowed: true };
    },
  });
  const run = (operation: string, input: Readonly<Record<string, string>>) =>
    call({ principal: { kind: 'operator' }, operation, input: { Version: '2010-05-15', ...input } });
  return { run, asked };
}

describe('CloudFormation', () => {
  it.for(['test', id])('describes the one stack, which is named %s', async (StackName) => {
    const { run, asked } = service();
    expect(await run('DescribeStacks', { StackName })).toMatchObject({
      Stacks: { member: [{ StackId: id, StackName: 'test', StackStatus: 'CREATE_COMPLETE' }] },
    });
    expect(asked).toEqual([`cloudformation:DescribeStacks on ${id}`]);
  });

  it('lists the resources of the stack', async () => {
    const { run } = service();
    expect(await run('ListStackResources', { StackName: id })).toMatchObject({
      StackResourceSummaries: { member: [{ LogicalResourceId: 'Errors' }] },
    });
  });

  it('remembers termination protection', async () => {
    const { run } = service();
    const isProtected = async () => JSON.stringify(await run('DescribeStacks', { StackName: id }));
    await run('UpdateTerminationProtection', { StackName: id, EnableTerminationProtection: 'true' });
    expect(await isProtected()).toContain('"EnableTerminationProtection":true');
    await run('UpdateTerminationProtection', { StackName: id, EnableTerminationProtection: 'false' });
    expect(await isProtected()).toContain('"EnableTerminationProtection":false');
  });

  it('refuses what it does not know, and what a policy does not allow', async () => {
    const { run } = service(['cloudformation:UpdateTerminationProtection']);
    await expect(run('DeleteStack', { StackName: id })).rejects.toThrow(
      'The emulator does not support the operation DeleteStack.',
    );
    await expect(run('DescribeStacks', { StackName: 'other' })).rejects.toThrow(
      'Stack with id other does not exist',
    );
    await expect(
      run('UpdateTerminationProtection', { StackName: id, EnableTerminationProtection: 'true' }),
    ).rejects.toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  it.for(['DescribeStacks', 'ListStackResources', 'UpdateTerminationProtection'])(
    'refuses other parameters of %s by name',
    async (operation) => {
      const { run } = service();
      await expect(run(operation, { StackName: id, NextToken: 'x' })).rejects.toThrow(
        'The emulator does not support the parameter NextToken.',
      );
    },
  );
});
