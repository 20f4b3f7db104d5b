import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseKeySet } from '../../../storage/signing-keys.ts';
import type { awsClientConfig } from '../aws-clients.ts';
import { createSecretCache } from '../keys/secret-cache.ts';
import { createFindKey, importKeySet } from '../keys/verification-keys.ts';
import { createLog } from '../log/log.ts';
import { createVerifyAccessToken } from '../tokens/access-token.ts';
import type { ApiDependencies } from './api-endpoint.ts';
import { deprecationHeaders } from './deprecation.ts';

/**
 * Creates the dependencies of both API endpoints, and starts to fetch the key set, which every request needs.
 */
export function createApiDependencies(
  environment: Readonly<Record<'baseUrl' | 'keySetSecretArn' | 'metricsNamespace', string>>,
  clientConfig: ReturnType<typeof awsClientConfig>,
): ApiDependencies {
  const log = createLog({ metricsNamespace: environment.metricsNamespace });
  const keySet = createSecretCache({
    client: new SecretsManagerClient(clientConfig),
    secretArn: environment.keySetSecretArn,
    parse: (secret) => importKeySet(parseKeySet(secret)),
    log,
  });
  keySet.prefetch();

  return {
    log,
    headers: deprecationHeaders(),
    verifyAccessToken: createVerifyAccessToken({
      findKey: createFindKey(keySet, Date.now),
      baseUrl: environment.baseUrl,
      now: () => new Date(),
    }),
  };
}
