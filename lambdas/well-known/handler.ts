import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseFormerBaseUrls } from '../../contract/former-base-urls.ts';
import { parseKeySet } from '../../storage/signing-keys.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createRetryCounter } from '../shared/aws-retries.ts';
import { readEnvironment, readOptional } from '../shared/environment.ts';
import { createLog } from '../shared/log.ts';
import { createSecretCache } from '../shared/secret-cache.ts';
import { createWellKnownHandler } from './well-known-endpoint.ts';

const environment = readEnvironment(['baseUrl', 'keySetSecretArn', 'metricsNamespace']);
const retries = createRetryCounter();
const log = createLog({
  metrics: {
    namespace: environment.metricsNamespace,
    functionName: 'well-known',
    takeRetries: retries.take,
  },
});

// Not prefetched: two of the three documents do not need the key set.
const keySet = createSecretCache({
  client: retries.watch(new SecretsManagerClient(awsClientConfig())),
  secretArn: environment.keySetSecretArn,
  parse: parseKeySet,
  log,
});

/** `GET /.well-known/openid-configuration`, `GET /.well-known/jwks.json` and `GET /v0/openapi.json`. */
export const handler = createWellKnownHandler({
  baseUrl: environment.baseUrl,
  formerBaseUrls: parseFormerBaseUrls(readOptional('formerBaseUrls')),
  keySet: keySet.get,
  now: Date.now,
  log,
});
