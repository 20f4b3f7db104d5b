import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Cache, createCache } from './cache.ts';
import { describeError, InternalError, type Log } from './log.ts';

export interface SecretCacheOptions<Value> {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  /** Turns the secret's text into the cached value. Called once each time that the secret is read. */
  readonly parse: (secret: string) => Value | Promise<Value>;
  readonly log: Log;
}

/** A cache of the value of a secret. A failed refresh is logged, and the cached value stays in use. */
export function createSecretCache<Value>(options: SecretCacheOptions<Value>): Cache<Value> {
  const { client, secretArn, parse, log } = options;
  return createCache({
    load: async () => parse(await readSecret(client, secretArn)),
    now: Date.now,
    onRefreshFailed: (error) => log('WARN', 'refreshFailed', describeError(error)),
  });
}

/** Reads the current value of a secret. */
async function readSecret(client: SecretsManagerClient, secretArn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString === undefined) {
    throw new InternalError(`Secret has no text: ${secretArn}`);
  }
  return SecretString;
}
