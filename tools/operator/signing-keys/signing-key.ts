import { setTimeout as passTime } from 'node:timers/promises';
import * as v from 'valibot';
import type { Timestamp } from '../../../storage/attributes.ts';
import { revocationSchema } from '../../../storage/revocation.ts';
import {
  compareStates,
  entryThatSigns,
  type KeySet,
  keyStages,
  parseKeySet,
  publishedKeys,
} from '../../../storage/signing-keys.ts';
import { secretsManagerClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import { invokedFunctions, responseLimit } from '../deployment/invoked-functions.ts';
import type { ActionContext } from '../description/action.ts';
import { messageOf, NotFound, OperationError } from '../errors.ts';
import { formatSeconds, quoted } from '../text.ts';

/** A signing key without its private part. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  /** `current`: chosen by the last rotation. `next`: signs after the next rotation. `retired`: replaced by a rotation. */
  readonly state: 'next' | 'current' | 'retired';
  /** True if the key signs new tokens. Until a rotation is finished, the retired key still signs. */
  readonly signs: boolean;
  /** Start of the key's state. */
  readonly since: Timestamp;
  /** Earliest time at which the next key may sign. */
  readonly usable_from?: Timestamp | undefined;
  /** Time at which a retired key leaves the key set. */
  readonly until?: Timestamp | undefined;
  /** Version of the secret with the private key. Undefined for a key that no longer signs. */
  readonly version?: string | undefined;
}

/** Lists the published keys, in the order current, next, retired. */
export async function listSigningKeys(deployment: Deployment): Promise<readonly SigningKey[]> {
  const keySet = await getKeySet(deployment);
  const signing = entryThatSigns(keySet);
  return publishedKeys(keySet, deployment.now())
    .map((entry) => {
      const { jwk, state, since, usable_from, until, version } = entry;
      const { kid, alg: algorithm } = jwk;
      return { kid, algorithm, state, signs: entry === signing, since, usable_from, until, version };
    })
    .sort(compareStates);
}

/**
 * Finds a published key.
 *
 * @throws {OperationError} when no published key has this kid
 */
export async function getSigningKey(deployment: Deployment, kid: string): Promise<SigningKey> {
  const key = (await listSigningKeys(deployment)).find((candidate) => candidate.kid === kid);
  if (key === undefined) {
    throw new NotFound(`No published signing key has the kid ${quoted(kid)}.`, {
      noun: 'signing-key',
      verb: 'list',
    });
  }
  return key;
}

/** Reads the key set with which the functions verify tokens. */
export async function getKeySet(deployment: Deployment): Promise<KeySet> {
  const secrets = await secretsManagerClient(deployment);
  const { SecretString = '' } = await secrets
    .getSecretValue({ SecretId: deployment.outputs.KeySetSecretArn })
    .catch((error: unknown) => {
      throw error instanceof Error && error.name === 'ResourceNotFoundException'
        ? new OperationError(
            'There is no key set yet. Deploy the stack: its first deployment creates the keys.',
          )
        : error;
    });
  try {
    return parseKeySet(SecretString);
  } catch (error) {
    throw new OperationError(
      `The key set cannot be read: ${messageOf(error)}. It may have been edited by hand.`,
    );
  }
}

const rotationPollMilliseconds = 500;

/** Time limit for a rotation, which normally takes seconds. */
const rotationTimeoutMilliseconds = responseLimit(invokedFunctions.RotateSigningKeyFunctionName.minutes);

/**
 * Rotates the signing key and waits until the next key signs. Sets the rotation schedule first, if it is
 * missing.
 *
 * @throws {OperationError} when the rotation did not end in time, or another rotation is in progress
 */
export async function rotateSigningKey(
  deployment: Deployment,
  { progress, sleep }: Pick<ActionContext, 'progress' | 'sleep'> = {
    progress: () => undefined,
    sleep: passTime,
  },
): Promise<readonly SigningKey[]> {
  const versionId = await startRotation(deployment);
  const startedAt = deployment.now();
  while (!(await isFinished(deployment, versionId))) {
    const elapsed = deployment.now() - startedAt;
    if (elapsed > rotationTimeoutMilliseconds) {
      throw new OperationError(
        'The rotation was started but has not ended yet. Tokens are still issued and accepted. Read the log of the signing-keys function, and check the keys.',
        { noun: 'signing-key', verb: 'list' },
      );
    }
    progress(`The rotation is in progress: ${formatSeconds(elapsed / 1000)} so far`);
    await sleep(rotationPollMilliseconds);
  }
  return listSigningKeys(deployment);
}

/**
 * Requires that the next key may sign. A rotation has no effect while a cached key set may lack the next key
 * (lambdas/signing-keys/key-set-plan.ts).
 *
 * @throws {OperationError} when the next key may not sign yet
 */
export async function requireUsableNextKey(deployment: Deployment): Promise<void> {
  const next = (await listSigningKeys(deployment)).find(({ state }) => state === 'next');
  if (next?.usable_from !== undefined && Date.parse(next.usable_from) > deployment.now()) {
    throw new OperationError(
      `The next key was published at ${next.since} and may sign from ${next.usable_from}: until then, a verifier may use ` +
        'a key set without the next key. Nothing was changed. Rotate again after that time. If a key leaked, ' +
        'revoke the key: that takes effect immediately.',
      { noun: 'signing-key', verb: 'list' },
    );
  }
}

/** Starts a rotation. Without a rotation schedule, the `signing-keys` function sets it first. @throws {OperationError} */
async function startRotation(deployment: Deployment): Promise<string> {
  const secrets = await secretsManagerClient(deployment);
  const secret = { SecretId: deployment.outputs.SigningKeySecretArn };
  const rotate = async () => (await secrets.rotateSecret(secret)).VersionId ?? '';
  try {
    return await rotate();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'InvalidRequestException') {
      throw error;
    }
    const { RotationEnabled = false } = await describeSecret(deployment);
    if (RotationEnabled) {
      throw new OperationError(`The rotation could not start: ${error.message}`);
    }
  }
  // Without a schedule, Secrets Manager does not know the rotation function. An operator cannot set the schedule,
  // because only the function may use the key of the secret.
  const event = { action: 'schedule' };
  const { problem } = await invokeFunction(deployment, 'RotateSigningKeyFunctionName', event, v.unknown());
  if (problem !== undefined) {
    throw new OperationError(
      `The secret has no rotation schedule, and it is not certain that the schedule was set. ${problem} Read the log of the function, fix the cause and rotate again: that is safe.`,
    );
  }
  return await rotate();
}

/** Reads the metadata of the secret of the private keys, as Secrets Manager returns it. */
async function describeSecret(deployment: Deployment) {
  const secrets = await secretsManagerClient(deployment);
  return secrets.describeSecret({ SecretId: deployment.outputs.SigningKeySecretArn });
}

/**
 * Returns true if a rotation is finished. A rotation removes the AWSPENDING stage last. After that, the next
 * rotation can start, so this version may already be the previous one.
 */
async function isFinished(deployment: Deployment, versionId: string): Promise<boolean> {
  const { VersionIdsToStages = {} } = await describeSecret(deployment);
  const stages = VersionIdsToStages[versionId] ?? [];
  const wasCurrent = stages.includes('AWSCURRENT') || stages.includes('AWSPREVIOUS');
  return wasCurrent && !stages.includes('AWSPENDING');
}

/**
 * Metadata of the secret of the private keys in Secrets Manager: its schedule, its labels and its KMS key.
 */
export type KeySecret = Awaited<ReturnType<typeof readKeySecret>>;

/** Reads the metadata of the secret of the private keys. No operator can read the keys. */
export async function readKeySecret(deployment: Deployment) {
  const secret = await describeSecret(deployment);
  const labels = Object.entries(secret.VersionIdsToStages ?? {});
  const versionWith = (stage: string) => labels.find(([, stages]) => stages.includes(stage))?.[0];
  // During a rotation, the label AWSPENDING is on a version that is not current (Secrets Manager, "Rotation
  // status").
  const isUnderWay = labels.some(
    ([, stages]) => stages.includes('AWSPENDING') && !stages.includes(keyStages.current),
  );
  return {
    /**
     * Days from one rotation to the next. Undefined without a schedule: the keys are then not rotated
     * automatically.
     */
    everyDays: secret.RotationEnabled ? secret.RotationRules?.AutomaticallyAfterDays : undefined,
    next: secret.NextRotationDate,
    /** Rotation in progress. */
    underWay: isUnderWay ? { since: secret.LastChangedDate ?? new Date(0) } : undefined,
    /** Versions of the secret with the current key and with the next key. */
    versions: { current: versionWith(keyStages.current), next: versionWith(keyStages.next) },
    /** KMS key of the secret. Undefined for the default key of Secrets Manager. */
    kmsKeyId: secret.KmsKeyId,
  };
}

/** Removal of a leaked key, after which the next key may sign, or of all keys, which are replaced by new ones. */
type RevocationRequest =
  | { readonly action: 'revoke'; readonly kid: string }
  | { readonly action: 'revoke-all' };

/**
 * Removes keys from the key set immediately.
 *
 * @returns one revocation for each key: the key that signs now, and the times at which tokens of the revoked key become
 *   invalid
 * @throws {OperationError} when it is not certain that keys were revoked
 */
export async function revokeSigningKeys(
  deployment: Deployment,
  request: RevocationRequest,
  progress?: ActionContext['progress'],
) {
  const { result, problem } = await invokeFunction(
    deployment,
    'RotateSigningKeyFunctionName',
    request,
    v.tupleWithRest([revocationSchema], revocationSchema),
    progress,
  );
  if (result === undefined) {
    throw new OperationError(
      `It is not certain that keys were revoked. ${problem} Check the keys, and revoke those that are still published: that is safe.`,
      { noun: 'signing-key', verb: 'list' },
    );
  }
  return result;
}
