import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { createScheduleStore } from '../../../lambdas/signing-keys/rotation-schedule.ts';
import { functionArn } from './fake-schedule.ts';

/** The schedule of a secret in a service whose every call gives this. Keeps the calls, and counts the clients. */
function scheduleAnswering(answer: object) {
  const calls: unknown[] = [];
  let clients = 0;
  const schedule = createScheduleStore(() => {
    clients += 1;
    const client = new SecretsManagerClient({
      region: 'eu-central-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    });
    client.middlewareStack.add(
      (_, { commandName }) =>
        async ({ input }) => {
          calls.push({ command: commandName, ...input });
          return { response: {}, output: { $metadata: {}, ...answer } };
        },
      { step: 'initialize' },
    );
    return client;
  }, 'secret-arn');
  return { schedule, calls, clients: () => clients };
}

const rotating = {
  RotationEnabled: true,
  RotationLambdaARN: functionArn,
  RotationRules: { AutomaticallyAfterDays: 90 },
};

describe('the rotation schedule of a secret', () => {
  test('is read as Secrets Manager shows it', async () => {
    const { schedule, calls } = scheduleAnswering(rotating);
    expect(await schedule.read()).toEqual({ functionArn, days: 90 });
    expect(calls).toEqual([{ command: 'DescribeSecretCommand', SecretId: 'secret-arn' }]);
  });

  test.each([
    {},
    { ...rotating, RotationEnabled: false },
    { ...rotating, RotationEnabled: undefined },
    { ...rotating, RotationLambdaARN: undefined },
    { ...rotating, RotationRules: undefined },
    { ...rotating, RotationRules: { ScheduleExpression: 'rate(90 days)' } },
  ])('is none for a secret that does not rotate, or by other rules: %j', async (answer) => {
    expect(await scheduleAnswering(answer).schedule.read()).toBeUndefined();
  });

  test('is set without a rotation now', async () => {
    const { schedule, calls } = scheduleAnswering({});
    await schedule.write({ functionArn, days: 30 });
    expect(calls).toEqual([
      {
        command: 'RotateSecretCommand',
        SecretId: 'secret-arn',
        RotationLambdaARN: functionArn,
        RotationRules: { AutomaticallyAfterDays: 30 },
        RotateImmediately: false,
      },
    ]);
  });

  test('has one client, made with the first use', async () => {
    const { schedule, clients } = scheduleAnswering(rotating);
    expect(clients()).toBe(0);
    await schedule.read();
    await schedule.write({ functionArn, days: 30 });
    expect(clients()).toBe(1);
  });
});
