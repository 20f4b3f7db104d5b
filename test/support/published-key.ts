import { setTimeout as delay } from 'node:timers/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { secretsManagerClient } from '../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import type { SigningKey } from './deployment.ts';
import { withoutDetail } from './plain-errors.ts';
import { recordProduced } from './produced-secrets.ts';

/** An entry of the key set (storage/README.md, Secrets), as far as this file reads it. */
interface Entry {
  readonly jwk: { readonly kid: string };
}

/**
 * Publishes a signing key. The deployment's key set contains its public part, and the suite its private part.
 * With it, the suite can sign tokens with exactly one fault. The deployment's own private keys cannot be
 * read, not even by an operator.
 */
export async function publishKey(operator: Deployment): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: privatePart, ...publicPart } = jwk;
  recordProduced('private key', privatePart);
  const now = Date.now();
  const entry = {
    jwk: { ...publicPart, kid, alg: 'ES256', use: 'sig' },
    state: 'retired',
    since: new Date(now).toISOString(),
    until: new Date(now + 3_600_000).toISOString(),
  };
  await changeKeySet(operator, (keys) => [...keys, entry]);
  return { jwk, kid, alg: 'ES256' };
}

/** Removes it from the key set. */
export function withdrawKey(operator: Deployment, { kid }: SigningKey): Promise<void> {
  return changeKeySet(operator, (keys) => keys.filter(({ jwk }) => jwk.kid !== kid));
}

async function changeKeySet(
  operator: Deployment,
  change: (keys: readonly Entry[]) => readonly Entry[],
): Promise<void> {
  const secrets = await secretsManagerClient(operator);
  const SecretId = operator.outputs.KeySetSecretArn;
  const read = () => withoutDetail(secrets.getSecretValue({ SecretId }));
  const { keys } = JSON.parse((await read()).SecretString ?? '') as { readonly keys: readonly Entry[] };
  const changed = JSON.stringify({ keys: change(keys) });
  const { VersionId } = await withoutDetail(secrets.putSecretValue({ SecretId, SecretString: changed }));
  // Secrets Manager is eventually consistent, and a function that reads the older set caches it for minutes.
  while ((await read()).VersionId !== VersionId) {
    await delay(100);
  }
}
