import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createCache } from '../shared/cache.ts';
import { readEnvironment } from '../shared/environment.ts';
import { parseKeySet } from '../shared/keys.ts';
import { createLog, describeError } from '../shared/log.ts';
import { readSecret } from '../shared/secret-value.ts';
import { createWellKnownHandler } from './well-known-endpoint.ts';

const environment = readEnvironment(['baseUrl', 'keySetSecretArn']);
const log = createLog();
const secretsManager = new SecretsManagerClient(awsClientConfig());

// Not prefetched: two of the three documents do without it.
const keySet = createCache({
  load: async () => parseKeySet(await readSecret(secretsManager, environment.keySetSecretArn)),
  now: Date.now,
  onRefreshFailed: (error) => log('WARN', 'refreshFailed', describeError(error)),
});

/** `GET /.well-known/openid-configuration`, `GET /.well-known/jwks.json` and `GET /v0/openapi.json`. */
export const handler = createWellKnownHandler({
  baseUrl: environment.baseUrl,
  keySet: keySet.get,
  now: Date.now,
  log,
});
