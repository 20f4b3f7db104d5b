import {
  DescribeSecretCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Interval at which Secrets Manager rotates the signing keys, and the function that it invokes. */
export interface RotationSchedule {
  readonly functionArn: string;
  readonly days: number;
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/** Creates the reads and writes of the schedule of the secret with the private keys, in Secrets Manager. */
export function createScheduleStore(client: SecretsManagerClient, secretArn: string) {
  return {
    /** @returns undefined if the secret does not rotate, or its rules are not a number of days */
    read: async (): Promise<RotationSchedule | undefined> => {
      const { RotationEnabled, RotationLambdaARN, RotationRules } = await client.send(
        new DescribeSecretCommand({ SecretId: secretArn }),
      );
      const days = RotationRules?.AutomaticallyAfterDays;
      return RotationEnabled && RotationLambdaARN !== undefined && days !== undefined
        ? { functionArn: RotationLambdaARN, days }
        : undefined;
    },
    /**
     * Sets the schedule, without a rotation. Secrets Manager then tests the function: it creates a version with
     * AWSPENDING, and invokes `testSecret` (API reference, RotateSecret, RotateImmediately).
     */
    write: async ({ functionArn, days }: RotationSchedule) => {
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
