import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** Keys, and what clients see of the operator's commands for clients and keys. */

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

test('a first deployment sets the schedule of rotation with the rights of the template, and leaves no version pending', async () => {
  const { awsConfig, outputs } = stack.deployment;
  const secret = await new SecretsManagerClient(awsConfig).send(
    new DescribeSecretCommand({ SecretId: outputs.SigningKeySecretArn }),
  );
  expect(secret).toMatchObject({ RotationEnabled: true, RotationRules: { AutomaticallyAfterDays: 90 } });
  expect(Object.values(secret.VersionIdsToStages ?? {}).flat()).not.toContain('AWSPENDING');
  expect(stack.awsLog.filter(({ level }) => /error/i.test(String(level)))).toEqual([]);
});

test('new tokens follow changed scopes, and issued ones keep theirs', async () => {
  const { client, token, requestToken } = await createApiUser(stack);
  await admin('client', 'set-scopes', client.client_id, '--scope', 'sync:create');
  const narrowed = (await (await requestToken()).json()) as { access_token: string; scope: string };
  expect(narrowed.scope).toBe('sync:create');
  expect(await listVolumes(narrowed.access_token)).toBe(403);
  expect(await listVolumes(token)).toBe(200);
});

test('a key that leaked is revoked: its tokens get 401 from whoever reads the key set anew, and the next key signs', async () => {
  const { token, requestToken } = await createApiUser(stack);
  const leaked = decodeProtectedHeader(token).kid ?? '';
  const kids = await publishedKids();
  expect(kids).toContain(leaked);
  const refused = await admin('signing-key', 'revoke', leaked);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('Every access token that it signed');

  const revoked = await admin('signing-key', 'revoke', leaked, '--yes', '--json');
  const next = kids.find((kid) => kid !== leaked);
  expect(revoked.json()).toMatchObject({ kid: leaked, signing_kid: next });
  // Warm functions hold the set for at most five minutes; those that start read it immediately.
  await stack.cool();
  expect(await listVolumes(token)).toBe(401);
  expect(await publishedKids()).not.toContain(leaked);
  const { access_token: renewed } = (await (await requestToken()).json()) as { access_token: string };
  expect(decodeProtectedHeader(renewed).kid).toBe(next);
  expect(await listVolumes(renewed)).toBe(200);
});
