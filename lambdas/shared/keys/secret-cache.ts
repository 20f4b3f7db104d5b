import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { keyStages } from '../../../storage/signing-keys.ts';
import { describeError, InternalError, type Log } from '../log/log.ts';
import { createCache } from './cache.ts';

interface SecretCacheOptions<Value> {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  /** Converts the secret's text to the cached value. Called once for each read of the secret. */
  readonly parse: (secret: string) => Value | Promise<Value>;
  readonly log: Log;
}

/**
 * Creates a cache of the value of a secret. A failed refresh is logged, and the cached value stays in use.
 *
 * @example
 * ```ts
 * const currentKey = createSecretCache({
 *   client: new SecretsManagerClient(clientConfig),
 *   secretArn: environment.signingKeySecretArn,
 *   parse: (secret) => importSigningKey(parseSigningKey(secret).key),
 *   log,
 * });
 * const sign = await currentKey.get();
 * ```
 */
export function createSecretCache<Value>({ client, secretArn, parse, log }: SecretCacheOptions<Value>) {
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
    /** Age of this version of the secret, in milliseconds. Undefined before the first load. */
    versionAge: (now: number) => (createdAt === undefined ? undefined : now - createdAt),
  };
}

/** Reads the current value of a secret. The role of `token` allows only reads that name this stage. */
async function readSecret(client: SecretsManagerClient, secretArn: string) {
  const { SecretString, CreatedDate } = await client.send(
    new GetSecretValueCommand({ SecretId: secretArn, VersionStage: keyStages.current }),
  );
  if (SecretString === undefined) {
    throw new InternalError(`Secret has no text: ${secretArn}`);
  }
  return { text: SecretString, createdAt: CreatedDate?.getTime() };
}
