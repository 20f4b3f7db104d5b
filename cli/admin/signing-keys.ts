import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Timestamp } from '../../storage/attributes.ts';
import {
  compareStates,
  entrySigningAt,
  type KeySetEntry,
  parseKeySet,
  publishedKeys,
} from '../../storage/signing-keys.ts';
import { CommandError, messageOf } from '../errors.ts';
import { secretsManagerClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** A signing key as the command line tells of it: never its private part. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  /** `next` will sign after the next rotation, `current` is that of the last one, `retired` those before. */
  readonly state: 'next' | 'current' | 'retired';
  /** Whether new tokens are signed with it. While a new current key becomes known, the one before goes on. */
  readonly signs: boolean;
  /** When it came into its state; in the future while the key before still signs. */
  readonly since: Timestamp;
  /** Of the next key: from when it may sign. */
  readonly usable_from?: Timestamp;
  /** When a retired key leaves the key set. */
  readonly until?: Timestamp;
}

/** The published keys: current, next, retired. */
export async function listSigningKeys(deployment: Deployment): Promise<readonly SigningKey[]> {
  const now = Date.now();
  const keySet = readKeySet(await readSecret(deployment));
  const signing = entrySigningAt(keySet, now);
  return publishedKeys(keySet, now)
    .map((entry) => toSigningKey(entry, entry === signing))
    .sort(compareStates);
}

function toSigningKey({ jwk, state, since, usable_from, until }: KeySetEntry, signs: boolean): SigningKey {
  return {
    kid: jwk.kid,
    algorithm: jwk.alg,
    state,
    signs,
    since,
    ...(usable_from === undefined ? {} : { usable_from }),
    ...(until === undefined ? {} : { until }),
  };
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
  while (!(await isFinished(secrets, deployment.outputs.SigningKeySecretArn, versionId))) {
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

/** The rotation's mark, AWSPENDING, goes last: another rotation can begin only then. */
async function isFinished(
  secrets: SecretsManagerClient,
  secretArn: string,
  versionId: string,
): Promise<boolean> {
  const { DescribeSecretCommand } = await import('@aws-sdk/client-secrets-manager');
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId: secretArn }));
  const stages = VersionIdsToStages[versionId] ?? [];
  return stages.includes('AWSCURRENT') && !stages.includes('AWSPENDING');
}
