import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionArn,
  functionRole,
  lambda,
  prepareRuns,
  roleArnOf,
} from '../support/aws-services.ts';

const name = 'test-Fn';

let runs: AwsRuns;
let aws: AwsServices;
let client: LambdaClient;

beforeEach(async () => {
  runs = await prepareRuns([
    lambda('Fn', { ReservedConcurrentExecutions: 2 }),
    lambda('Other'),
    ...functionRole('Role', {
      Effect: 'Allow',
      Action: 'lambda:GetFunctionConcurrency',
      Resource: functionArn('Fn'),
    }),
  ]);
  await start();
});
afterEach(async () => {
  client.destroy();
  await runs.end();
});

async function start(): Promise<void> {
  aws = await runs.start();
  client = new LambdaClient(clientFor(aws));
}

async function reserved(FunctionName = name): Promise<number | undefined> {
  const answer = await client.send(new GetFunctionConcurrencyCommand({ FunctionName }));
  return answer.ReservedConcurrentExecutions;
}

function put(ReservedConcurrentExecutions: number, FunctionName = name) {
  return client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
}

describe('the reserved concurrency of a function', () => {
  it('is that of the template, until an operator changes or removes it', async () => {
    expect([await reserved(), await reserved('test-Other')]).toEqual([2, undefined]);
    expect(await put(0)).toMatchObject({ ReservedConcurrentExecutions: 0 });
    expect(await reserved()).toBe(0);
    await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName: name }));
    expect(await reserved()).toBeUndefined();
  });

  it('survives a restart', async () => {
    await put(7);
    client.destroy();
    await aws.close();
    await start();
    expect([await reserved(), await reserved('test-Other')]).toEqual([7, undefined]);
  });

  it('is refused for a function that there is not, for less than nothing, and without permission', async () => {
    await expect(put(1, 'test-Absent')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(put(-1)).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
    const role = new LambdaClient(clientFor(aws, aws.credentialsForRole(roleArnOf('Role'), 'role')));
    await role.send(new GetFunctionConcurrencyCommand({ FunctionName: name }));
    const change = new PutFunctionConcurrencyCommand({ FunctionName: name, ReservedConcurrentExecutions: 0 });
    await expect(role.send(change)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    role.destroy();
    expect(await reserved()).toBe(2);
  });
});
