import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** The schedule that the function of the stack sets itself. What it does when AWS refuses is in test/lambdas/signing-keys. */

let stack: RunningStack;
let client: SecretsManagerClient;

beforeAll(async () => {
  stack = await startRunningStack();
  client = new SecretsManagerClient(stack.deployment.awsConfig);
}, 120_000);

afterAll(async () => {
  client?.destroy();
  await stack?.close();
});

test('a first deployment sets the schedule with the rights of the template, and leaves no version pending', async () => {
  const secret = await client.send(
    new DescribeSecretCommand({ SecretId: stack.deployment.outputs.SigningKeySecretArn }),
  );
  expect(secret).toMatchObject({ RotationEnabled: true, RotationRules: { AutomaticallyAfterDays: 90 } });
  expect(Object.values(secret.VersionIdsToStages ?? {}).flat()).not.toContain('AWSPENDING');
  expect(stack.awsLog.filter(({ level }) => /error/i.test(String(level)))).toEqual([]);
});
