import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseKeySet } from '../../storage/signing-keys.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment, readOptional } from '../shared/environment.ts';
import { deprecationHeaders } from '../shared/http/deprecation.ts';
import { createSecretCache } from '../shared/keys/secret-cache.ts';
import { createLog } from '../shared/log/log.ts';
import { createWellKnownHandler } from './well-known-endpoint.ts';

const environment = readEnvironment(['baseUrl', 'keySetSecretArn', 'metricsNamespace']);
const log = createLog({ metricsNamespace: environment.metricsNamespace });

// Not prefetched: only one of the documents needs the key set.
const keySet = createSecretCache({
  client: new SecretsManagerClient(awsClientConfig()),
  secretArn: environment.keySetSecretArn,
  parse: parseKeySet,
  log,
});

/**
 * The API description. The bundle contains it as data (lib/bundle/bundle-function.ts): creating it would load
 * much more code.
 */
declare const apiDescription: object;

/** The well-known documents, and the API description. */
export const handler = createWellKnownHandler({
  baseUrl: environment.baseUrl,
  documentationUrl: readOptional('documentationUrl'),
  description: apiDescription,
  keySet: keySet.get,
  headers: deprecationHeaders(),
  now: Date.now,
  log,
});
