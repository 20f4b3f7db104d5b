import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { createScheduleStore } from '../../../lambdas/signing-keys/rotation-schedule.ts';
import { functionArn } from './fake-schedule.ts';

/** The schedule of a secret in a service whose every call gives this. Keeps the calls. */
function scheduleAnswering(answer: object) {
  const calls: unknown[] = [];
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
  return { schedule: createScheduleStore(client, 'secret-arn'), calls };
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

  test('is none for a secret that does not rotate, or by other rules', async () => {
    for (const answer of [
      {},
      { ...rotating, RotationEnabled: false },
      { ...rotating, RotationLambdaARN: undefined },
      { ...rotating, RotationRules: { ScheduleExpression: 'rate(90 days)' } },
    ]) {
      expect(await scheduleAnswering(answer).schedule.read(), JSON.stringify(answer)).toBeUndefined();
    }
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
});
