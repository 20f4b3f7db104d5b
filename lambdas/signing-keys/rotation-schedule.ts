import {
  DescribeSecretCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** When Secrets Manager rotates the signing keys, and with which function. */
export interface RotationSchedule {
  readonly functionArn: string;
  readonly days: number;
}

/** The schedule of the secret with the private keys. */
export interface ScheduleStore {
  /** @returns undefined when the secret does not rotate, or rotates by other rules than a number of days */
  readonly read: () => Promise<RotationSchedule | undefined>;
  /**
   * Sets the schedule. Rotates nothing, but Secrets Manager then tests the function: it makes a version AWSPENDING, and
   * invokes `testSecret` (API reference, RotateSecret, RotateImmediately).
   */
  readonly write: (schedule: RotationSchedule) => Promise<void>;
}

/** The schedule in Secrets Manager. */
export function createScheduleStore(client: SecretsManagerClient, secretArn: string): ScheduleStore {
  return {
    read: async () => {
      const { RotationEnabled, RotationLambdaARN, RotationRules } = await client.send(
        new DescribeSecretCommand({ SecretId: secretArn }),
      );
      const days = RotationRules?.AutomaticallyAfterDays;
      return RotationEnabled && RotationLambdaARN !== undefined && days !== undefined
        ? { functionArn: RotationLambdaARN, days }
        : undefined;
    },
    write: async ({ functionArn, days }) => {
      await client.send(
        new RotateSecretCommand({
          SecretId: secretArn,
          RotationLambdaARN: functionArn,
          RotationRules: { AutomaticallyAfterDays: days },
          RotateImmediately: false,
        }),
      );
    },
  };
}
