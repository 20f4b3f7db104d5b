import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createVerifyAccessToken } from './access-token.ts';
import type { ApiDependencies } from './api-endpoint.ts';
import type { awsClientConfig } from './aws-clients.ts';
import { createCache } from './cache.ts';
import { parseKeySet } from './keys.ts';
import { createLog, describeError } from './log.ts';
import { readSecret } from './secret-value.ts';
import { createFindKey, importKeySet } from './verification-keys.ts';

/** Wires what both API endpoints need, and starts to fetch the key set, which every request needs. */
export function createApiDependencies(
  environment: { readonly baseUrl: string; readonly keySetSecretArn: string },
  clientConfig: ReturnType<typeof awsClientConfig>,
): ApiDependencies {
  const log = createLog();
  const secretsManager = new SecretsManagerClient(clientConfig);
  const keySet = createCache({
    load: async () =>
      importKeySet(parseKeySet(await readSecret(secretsManager, environment.keySetSecretArn))),
    now: Date.now,
    onRefreshFailed: (error) => log('WARN', 'refreshFailed', describeError(error)),
  });
  keySet.prefetch();

  return {
    log,
    verifyAccessToken: createVerifyAccessToken({
      findKey: createFindKey(keySet, Date.now),
      baseUrl: environment.baseUrl,
      now: () => new Date(),
    }),
  };
}
