import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createScheduleStore } from '../../../lambdas/signing-keys/rotation-schedule.ts';
import { fakeClient } from '../support/fake-client.ts';
import { functionArn } from './key-handler.ts';

/**
 * Creates the schedule of a secret in a service that returns this response to every call. Records the inputs
 * of the calls.
 */
function scheduleResponding(response: object) {
  const { client, inputs } = fakeClient<SecretsManagerClient>(response);
  return { schedule: createScheduleStore(client, 'secret-arn'), inputs };
}

const rotating = {
  RotationEnabled: true,
  RotationLambdaARN: functionArn,
  RotationRules: { AutomaticallyAfterDays: 90 },
};

describe('the rotation schedule of a secret', () => {
  test('is read as Secrets Manager shows it', async () => {
    const { schedule, inputs } = scheduleResponding(rotating);

    expect(await schedule.read()).toEqual({ functionArn, days: 90 });
    expect(inputs).toEqual([{ SecretId: 'secret-arn' }]);
  });

  test.for([
    { RotationEnabled: false },
    { RotationEnabled: undefined },
    { RotationLambdaARN: undefined },
    { RotationRules: { ScheduleExpression: 'rate(90 days)' } },
  ])('is absent with %j', async (change) => {
    expect(await scheduleResponding({ ...rotating, ...change }).schedule.read()).toBeUndefined();
  });

  test('is set without a rotation now', async () => {
    const { schedule, inputs } = scheduleResponding({});
    await schedule.write({ functionArn, days: 30 });
    expect(inputs).toEqual([
      {
        SecretId: 'secret-arn',
        RotationLambdaARN: functionArn,
        RotationRules: { AutomaticallyAfterDays: 30 },
        RotateImmediately: false,
      },
    ]);
  });
});
