import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseSigningKey } from '../../storage/signing-keys.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { serveRoutes } from '../shared/http/serve-routes.ts';
import { createSecretCache } from '../shared/keys/secret-cache.ts';
import { importSigningKey } from '../shared/keys/signing-key.ts';
import { createLog } from '../shared/log/log.ts';
import { createReadClient } from './read-client.ts';
import { createTokenHandler } from './token-endpoint.ts';

const environment = readEnvironment([
  'baseUrl',
  'clientsTableName',
  'signingKeySecretArn',
  'tokenLifetimeSeconds',
  'metricsNamespace',
]);
const clientConfig = awsClientConfig();
const log = createLog({ metricsNamespace: environment.metricsNamespace });

const currentKey = createSecretCache({
  client: new SecretsManagerClient(clientConfig),
  secretArn: environment.signingKeySecretArn,
  parse: (secret) => importSigningKey(parseSigningKey(secret).key),
  log,
});
// Every token needs the key, so the function fetches it while it starts.
currentKey.prefetch();

const token = createTokenHandler({
  readClient: createReadClient(new DynamoDBClient(clientConfig), environment.clientsTableName),
  currentKey: currentKey.get,
  baseUrl: environment.baseUrl,
  lifetimeSeconds: Number(environment.tokenLifetimeSeconds),
  now: Date.now,
  newTokenId: randomUUID,
  log,
  keysAge: currentKey.versionAge,
});

export const handler = serveRoutes<'token'>({ token }, log);
