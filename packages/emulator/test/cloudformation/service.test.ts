import { expect, it } from 'vitest';
import { createCloudFormation } from '../../cloudformation/service.ts';
import { resource, stack } from '../support/aws-services.ts';

const StackName = 'arn:aws:cloudformation:us-east-1:000000000000:stack/test/local';

function service(denied = '') {
  const call = createCloudFormation({
    stack,
    resources: [resource('Errors', 'AWS::SQS::Queue', {})],
    now: () => new Date('2026-01-01T00:00:00Z'),
    authorize: ({ action, resource }) =>
      `${action} on ${resource}` === denied
        ? { allowed: false, reason: 'not-allowed', by: 'identity' }
        : { allowed: true },
  });
  /** Returns the response as JSON. */
  return async (operation: string, more: Readonly<Record<string, string>> = {}) => {
    const input = { Version: '2010-05-15', StackName, ...more };
    return JSON.stringify(await call({ principal: { kind: 'operator' }, operation, input }));
  };
}

it.for(['test', StackName])('CloudFormation describes the stack by its name or ARN: %s', async (name) => {
  expect(await service()('DescribeStacks', { StackName: name })).toBe(
    '{"Stacks":{"member":[{"StackId":"arn:aws:cloudformation:us-east-1:000000000000:stack/test/local","StackName":"test","CreationTime":"2026-01-01T00:00:00.000Z","StackStatus":"CREATE_COMPLETE","EnableTerminationProtection":false}]}}',
  );
});

it('CloudFormation lists the resources of the stack', async () => {
  expect(await service()('ListStackResources')).toBe(
    '{"StackResourceSummaries":{"member":[{"LogicalResourceId":"Errors","PhysicalResourceId":"https://sqs.us-east-1.amazonaws.com/000000000000/test-Errors","ResourceType":"AWS::SQS::Queue","LastUpdatedTimestamp":"2026-01-01T00:00:00.000Z","ResourceStatus":"CREATE_COMPLETE"}]}}',
  );
});

it('CloudFormation stores termination protection', async () => {
  const run = service();
  await run('UpdateTerminationProtection', { EnableTerminationProtection: 'true' });
  expect(await run('DescribeStacks')).toContain('"EnableTerminationProtection":true');
  await run('UpdateTerminationProtection', { EnableTerminationProtection: 'false' });
  expect(await run('DescribeStacks')).toContain('"EnableTerminationProtection":false');
});

it.for([
  ['DeleteStack', {}, 'The emulator does not support the operation DeleteStack.'],
  ['DescribeStacks', { StackName: 'other' }, 'Stack with id other does not exist'],
  ['DescribeStacks', { NextToken: 'x' }, 'The emulator does not support the parameter NextToken.'],
  ['UpdateTerminationProtection', { x: 'x' }, 'The emulator does not support the parameter x.'],
] as const)('CloudFormation rejects %s with %j', async ([operation, input, message]) => {
  await expect(service()(operation, input)).rejects.toThrow(message);
});

it('CloudFormation rejects an operation without a permission', async () => {
  const run = service(`cloudformation:ListStackResources on ${StackName}`);
  await expect(run('ListStackResources')).rejects.toMatchObject({ status: 403, code: 'AccessDenied' });
});
