import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signingAlgorithms } from '../../contract/access-token.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createLog } from '../shared/log.ts';
import { createAnswerCustomResource } from './answer-custom-resource.ts';
import { generateKey } from './generate-key.ts';
import { createKeyHandler } from './handle-key-event.ts';
import { createKeyStore } from './key-store.ts';

const environment = readEnvironment([
  'signingKeySecretArn',
  'keySetSecretArn',
  'signingAlgorithm',
  'tokenLifetimeSeconds',
]);
const algorithm = signingAlgorithms.find((known) => known === environment.signingAlgorithm);
if (algorithm === undefined) {
  throw new Error(`Unknown signing algorithm: ${environment.signingAlgorithm}`);
}

/** Makes the first keys during a deployment, rotates keys for Secrets Manager, and revokes keys for operators. */
export const handler = createKeyHandler({
  store: createKeyStore(new SecretsManagerClient(awsClientConfig()), {
    signingKey: environment.signingKeySecretArn,
    keySet: environment.keySetSecretArn,
  }),
  signingKeySecretArn: environment.signingKeySecretArn,
  generateKey: () => generateKey(algorithm),
  tokenLifetimeSeconds: Number(environment.tokenLifetimeSeconds),
  now: () => new Date(),
  log: createLog(),
  sleep,
  answerCustomResource: createAnswerCustomResource({ put: fetch, sleep, random: Math.random }),
});
