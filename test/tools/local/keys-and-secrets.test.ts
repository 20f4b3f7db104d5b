import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** What the rights of the template let a deployment do with its keys, and what clients see of that. */

const stack = await useRunningStack();

const admin = adminOf(stack.deployment);

async function listVolumes(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${stack.baseUrl}/v0/volumes`, { headers })).status;
}

async function publishedKids(): Promise<readonly (string | undefined)[]> {
  const response = await fetch(`${stack.baseUrl}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: readonly { kid?: string }[] };
  return keys.map(({ kid }) => kid);
}

test('a first deployment sets the schedule of rotation', async () => {
  const { awsConfig, outputs } = stack.deployment;
  const secret = await new SecretsManagerClient(awsConfig).send(
    new DescribeSecretCommand({ SecretId: outputs.SigningKeySecretArn }),
  );
  expect(secret).toMatchObject({ RotationEnabled: true, RotationRules: { AutomaticallyAfterDays: 90 } });
  expect(Object.values(secret.VersionIdsToStages ?? {}).flat()).not.toContain('AWSPENDING');
  expect(stack.awsLog.filter(({ level }) => /error/i.test(String(level)))).toEqual([]);
});

test('the tokens of a revoked key get 401, and the next key signs', async () => {
  const { token, requestToken } = await createApiUser(stack);
  const leaked = decodeProtectedHeader(token).kid ?? '';
  const next = (await publishedKids()).find((kid) => kid !== leaked);

  const revoked = await admin('signing-key', 'revoke', leaked, '--yes', '--json');
  expect(revoked.json()).toMatchObject({ kid: leaked, signing_kid: next });
  // Warm functions hold the set for at most five minutes; those that start read it immediately.
  await stack.cool();
  expect(await listVolumes(token)).toBe(401);
  expect(await publishedKids()).not.toContain(leaked);
  const { access_token: renewed } = (await (await requestToken()).json()) as { access_token: string };
  expect(decodeProtectedHeader(renewed).kid).toBe(next);
  expect(await listVolumes(renewed)).toBe(200);
});
