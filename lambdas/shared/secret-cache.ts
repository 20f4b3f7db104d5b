import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Cache, createCache } from './cache.ts';
import { describeError, InternalError, type Log } from './log.ts';

export interface SecretCacheOptions<Value> {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  /** Makes what the function uses of the secret's text, once for each time that it is read. */
  readonly parse: (secret: string) => Value | Promise<Value>;
  readonly log: Log;
}

/** A cache of what a secret holds. A refresh that fails is logged, and the value at hand stays in use. */
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
