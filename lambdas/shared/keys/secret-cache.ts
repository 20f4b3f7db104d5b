import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { keyStages } from '../../../storage/signing-keys.ts';
import { describeError, InternalError, type Log } from '../log/log.ts';
import { type Cache, createCache } from './cache.ts';

export interface SecretCacheOptions<Value> {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  /** Turns the secret's text into the cached value. Called once each time that the secret is read. */
  readonly parse: (secret: string) => Value | Promise<Value>;
  readonly log: Log;
}

/** A cache of the value of a secret. */
export interface SecretCache<Value> extends Cache<Value> {
  /** Milliseconds since this version of the secret was made. Undefined before it was loaded. */
  readonly versionAge: (now: number) => number | undefined;
}

/** A cache of the value of a secret. A failed refresh is logged, and the cached value stays in use. */
export function createSecretCache<Value>(options: SecretCacheOptions<Value>): SecretCache<Value> {
  const { client, secretArn, parse, log } = options;
  let createdAt: number | undefined;
  const cache = createCache({
    load: async () => {
      const secret = await readSecret(client, secretArn);
      const value = await parse(secret.text);
      createdAt = secret.createdAt;
      return value;
    },
    now: Date.now,
    onRefreshFailed: (error) => log('WARN', 'refreshFailed', describeError(error), { RefreshesFailed: 1 }),
  });
  return {
    ...cache,
    versionAge: (now) => (createdAt === undefined ? undefined : now - createdAt),
  };
}

/** Reads the current value of a secret. The role of `token` may read only what names this stage. */
async function readSecret(client: SecretsManagerClient, secretArn: string) {
  const { SecretString, CreatedDate } = await client.send(
    new GetSecretValueCommand({ SecretId: secretArn, VersionStage: keyStages.current }),
  );
  if (SecretString === undefined) {
    throw new InternalError(`Secret has no text: ${secretArn}`);
  }
  return { text: SecretString, createdAt: CreatedDate?.getTime() };
}
