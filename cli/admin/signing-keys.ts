import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseKeySet, publishedKeys } from '../../lambdas/shared/keys.ts';
import { CommandError, messageOf } from '../errors.ts';
import { secretsManagerClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import type { Timestamp } from './items.ts';

/** A signing key as the command line tells of it: never its private part. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  /** `next` is published and will sign after the next rotation; `retired` only verifies. */
  readonly state: 'next' | 'current' | 'retired';
  /** In the future while the key before still signs. */
  readonly since: Timestamp;
  /** Of the next key: from when it may sign. */
  readonly usable_from?: Timestamp;
  /** When a retired key leaves the key set. */
  readonly until?: Timestamp;
}

/** The published keys: current, next, retired. */
export async function listSigningKeys(deployment: Deployment): Promise<readonly SigningKey[]> {
  const keySet = readKeySet(await readSecret(deployment));
  return publishedKeys(keySet, Date.now())
    .map(({ jwk, ...entry }): SigningKey => ({ kid: jwk.kid, algorithm: jwk.alg, ...entry }))
    .sort((a, b) => order[a.state] - order[b.state]);
}

async function readSecret(deployment: Deployment): Promise<string> {
  const { GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager');
  const secrets = await secretsManagerClient(deployment);
  try {
    const answer = await secrets.send(
      new GetSecretValueCommand({ SecretId: deployment.outputs.KeySetSecretArn }),
    );
    return answer.SecretString ?? '';
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error;
    throw new CommandError('There is no key set yet. Deploy the stack: its first deployment makes the keys.');
  }
}

function readKeySet(secret: string) {
  try {
    return parseKeySet(secret);
  } catch (error) {
    throw new CommandError(`The key set cannot be read: ${messageOf(error)}. Was it changed by hand?`);
  }
}

const order = { current: 0, next: 1, retired: 2 } as const;

const rotationPollMilliseconds = 500;

/**
 * Rotates the signing key and waits until the next key signs.
 *
 * @param timeoutMilliseconds how long to wait for the rotation to end
 * @throws {CommandError} when it did not end in that time, or one is under way
 */
export async function rotateSigningKey(
  deployment: Deployment,
  timeoutMilliseconds = 90_000,
): Promise<readonly SigningKey[]> {
  const secrets = await secretsManagerClient(deployment);
  const versionId = await startRotation(secrets, deployment.outputs.SigningKeySecretArn);
  const deadline = Date.now() + timeoutMilliseconds;
  while (!(await isCurrent(secrets, deployment.outputs.SigningKeySecretArn, versionId))) {
    if (Date.now() > deadline) {
      throw new CommandError(
        'The rotation was started and has not ended yet. Tokens are signed and verified meanwhile. ' +
          'Look at the log of the rotate-signing-key function, and at signing-key list.',
      );
    }
    await sleep(rotationPollMilliseconds);
  }
  return listSigningKeys(deployment);
}

async function startRotation(secrets: SecretsManagerClient, secretArn: string): Promise<string> {
  const { RotateSecretCommand } = await import('@aws-sdk/client-secrets-manager');
  try {
    const { VersionId } = await secrets.send(new RotateSecretCommand({ SecretId: secretArn }));
    return VersionId ?? '';
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'InvalidRequestException') throw error;
    throw new CommandError(`The rotation cannot start: ${error.message}`);
  }
}

async function isCurrent(
  secrets: SecretsManagerClient,
  secretArn: string,
  versionId: string,
): Promise<boolean> {
  const { DescribeSecretCommand } = await import('@aws-sdk/client-secrets-manager');
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId: secretArn }));
  return VersionIdsToStages[versionId]?.includes('AWSCURRENT') ?? false;
}
