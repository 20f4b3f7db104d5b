import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { createStack } from '../../../lambdas/deletion-protection/stack.ts';
import { createTable } from '../../../lambdas/deletion-protection/table.ts';

const configuration = { region: 'eu-central-1', credentials: { accessKeyId: 'id', secretAccessKey: 'key' } };

/** A client whose every call gives this. */
function answering<Client extends CloudFormationClient | DynamoDBClient>(
  client: Client,
  answer: object,
): Client {
  const output = { $metadata: {}, ...answer };
  client.middlewareStack.add(() => async () => ({ response: {}, output }), { step: 'initialize' });
  return client;
}

const stackAnswering = (answer: object) =>
  createStack(answering(new CloudFormationClient(configuration), answer), 'stack-id');
const tableAnswering = (answer: object) =>
  createTable(answering(new DynamoDBClient(configuration), answer), 'files');

describe('the stack', () => {
  test('has the status that CloudFormation shows', async () => {
    const { readStatus } = stackAnswering({ Stacks: [{ StackStatus: 'UPDATE_IN_PROGRESS' }] });
    expect(await readStatus()).toBe('UPDATE_IN_PROGRESS');
  });

  test.each([{}, { Stacks: [] }, { Stacks: [{}] }])(
    'is not guessed about without a status: %j',
    async (answer) => {
      await expect(stackAnswering(answer).readStatus()).rejects.toThrow(
        'CloudFormation gave no status of the stack',
      );
    },
  );

  test.each([true, false, undefined])('is protected only if CloudFormation says so: %s', async (shown) => {
    const Stacks = [{ StackStatus: 'CREATE_COMPLETE', EnableTerminationProtection: shown }];
    expect(await stackAnswering({ Stacks }).isProtected()).toBe(shown === true);
  });
});

describe('a table', () => {
  test.each([
    [{ Table: { DeletionProtectionEnabled: true } }, true],
    [{ Table: { DeletionProtectionEnabled: false } }, false],
    [{ Table: {} }, false],
    [{}, false],
  ])('is protected only if DynamoDB says so: %j', async (answer, expected) => {
    expect(await tableAnswering(answer).isProtected()).toBe(expected);
  });
});
