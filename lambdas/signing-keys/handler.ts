import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signingAlgorithms } from '../../contract/access-token.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createCustomResourceResponder } from '../shared/custom-resource.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createLog } from '../shared/log/log.ts';
import { generateKey } from './generate-key.ts';
import { createKeyHandler } from './handle-key-event.ts';
import { createKeyStore } from './key-store.ts';
import { createScheduleStore } from './rotation-schedule.ts';

const environment = readEnvironment([
  'signingKeySecretArn',
  'signingKeyKmsKeyArn',
  'keySetSecretArn',
  'signingAlgorithm',
  'signingKeyRotationDays',
  'tokenLifetimeSeconds',
]);
const algorithm = signingAlgorithms.find((known) => known === environment.signingAlgorithm);
if (algorithm === undefined) {
  throw new Error(`Unknown signing algorithm: ${environment.signingAlgorithm}`);
}

/**
 * Timeout for RotateSecret. It may respond only after its test, and the test invokes this function with a
 * cold start. Two attempts fit into the function's timeout.
 */
const whileTested = {
  maxAttempts: 2,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 20_000,
    throwOnRequestTimeout: true,
    socketTimeout: 20_000,
  },
};

/**
 * Creates the first keys and the schedule during a deployment, rotates keys for Secrets Manager, and revokes
 * keys for operators.
 */
export const handler = createKeyHandler({
  store: createKeyStore(new SecretsManagerClient(awsClientConfig()), {
    signingKey: environment.signingKeySecretArn,
    kmsKey: environment.signingKeyKmsKeyArn,
    keySet: environment.keySetSecretArn,
  }),
  signingKeySecretArn: environment.signingKeySecretArn,
  schedule: createScheduleStore(
    new SecretsManagerClient({ ...awsClientConfig(), ...whileTested }),
    environment.signingKeySecretArn,
  ),
  rotationDays: Number(environment.signingKeyRotationDays),
  generateKey: () => generateKey(algorithm),
  tokenLifetimeSeconds: Number(environment.tokenLifetimeSeconds),
  now: () => new Date(),
  sleep,
  random: Math.random,
  log: createLog(),
  respondToCustomResource: createCustomResourceResponder({
    physicalResourceId: 'signing-keys',
    put: fetch,
    sleep,
    random: Math.random,
  }),
});
