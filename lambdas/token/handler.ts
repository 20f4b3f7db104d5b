import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createCache } from '../shared/cache.ts';
import { readEnvironment } from '../shared/environment.ts';
import { parseSigningKeys } from '../shared/keys.ts';
import { createLog, describeError } from '../shared/log.ts';
import { readSecret } from '../shared/secret-value.ts';
import { createReadClient } from './read-client.ts';
import { importSigners } from './signer.ts';
import { createTokenHandler } from './token-endpoint.ts';

const environment = readEnvironment([
  'baseUrl',
  'clientsTableName',
  'signingKeySecretArn',
  'tokenLifetimeSeconds',
]);
const clientConfig = awsClientConfig();
const log = createLog();
const secretsManager = new SecretsManagerClient(clientConfig);

const signers = createCache({
  load: async () =>
    importSigners(parseSigningKeys(await readSecret(secretsManager, environment.signingKeySecretArn))),
  now: Date.now,
  onRefreshFailed: (error) => log('WARN', 'refreshFailed', describeError(error)),
});
// Every token needs the key, so fetch it while the function starts.
signers.prefetch();

/** `POST /oauth/token`. */
export const handler = createTokenHandler({
  readClient: createReadClient(new DynamoDBClient(clientConfig), environment.clientsTableName),
  signerAt: signers.get,
  baseUrl: environment.baseUrl,
  lifetimeSeconds: Number(environment.tokenLifetimeSeconds),
  now: Date.now,
  newTokenId: randomUUID,
  log,
});
