import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { MeasuredFunction } from '../../storage/metrics.ts';
import { parseKeySet } from '../../storage/signing-keys.ts';
import { createVerifyAccessToken } from './access-token.ts';
import type { ApiDependencies } from './api-endpoint.ts';
import type { awsClientConfig } from './aws-clients.ts';
import { readVersionEnds } from './environment.ts';
import { createLog } from './log.ts';
import { createSecretCache } from './secret-cache.ts';
import { createFindKey, importKeySet } from './verification-keys.ts';

/** What both API endpoints need, and what one of them measures. */
interface ApiParts extends ApiDependencies {
  /** Milliseconds since the copy of the key set was loaded. */
  readonly keyCopyAge: () => number | undefined;
}

/** Makes what both API endpoints need, and starts to fetch the key set: every request needs it. */
export function createApiDependencies(
  functionName: MeasuredFunction,
  environment: Readonly<Record<'baseUrl' | 'keySetSecretArn' | 'metricsNamespace', string>>,
  clientConfig: ReturnType<typeof awsClientConfig>,
): ApiParts {
  const { metricsNamespace: namespace } = environment;
  const log = createLog({ metrics: { namespace, functionName } });
  const keySet = createSecretCache({
    client: new SecretsManagerClient(clientConfig),
    secretArn: environment.keySetSecretArn,
    parse: (secret) => importKeySet(parseKeySet(secret)),
    log,
  });
  keySet.prefetch();

  return {
    log,
    ends: readVersionEnds(),
    keyCopyAge: () => keySet.copyAge(Date.now()),
    verifyAccessToken: createVerifyAccessToken({
      findKey: createFindKey(keySet, Date.now),
      baseUrl: environment.baseUrl,
      now: () => new Date(),
    }),
  };
}
