import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { keyStages, namesKey } from '../../storage/signing-keys.ts';
import { InternalError } from '../shared/log/log.ts';

/** A value, and the version of its secret that holds it. */
export interface Stored<Value> {
  readonly value: Value;
  readonly version: string;
}

/** Another operation changed the keys between reading and writing. Nothing was written. */
export class KeysChangedError extends InternalError {
  override readonly name = 'KeysChangedError';
  constructor() {
    super('Another operation changed the keys at the same time: try again');
  }
}

/** Ids of the versions that carry AWSCURRENT and AWSPENDING. */
export interface VersionIds {
  readonly current: string | undefined;
  readonly pending: string | undefined;
}

type ReadInput = ConstructorParameters<typeof GetSecretValueCommand>[0];

/**
 * Reads a version by its id, or the current one.
 *
 * @returns undefined when there is no such version; the value is undefined when the version holds no text
 */
export async function readVersion(
  client: SecretsManagerClient,
  input: ReadInput,
): Promise<Stored<string | undefined> | undefined> {
  try {
    const { SecretString, VersionId = '' } = await client.send(new GetSecretValueCommand(input));
    return { value: SecretString, version: VersionId };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      return undefined;
    }
    throw error;
  }
}

export async function versionIds(client: SecretsManagerClient, secretArn: string): Promise<VersionIds> {
  const versionWith = await stagesOf(client, secretArn);
  return { current: versionWith(keyStages.current), pending: versionWith('AWSPENDING') };
}

/** Finds the version that has a label. */
async function stagesOf(client: SecretsManagerClient, secretArn: string) {
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretArn }));
  return (stage: string) =>
    Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
}

/** Label of a version that is not current yet. Every version needs a label before AWSCURRENT moves to it. */
const proposedStage = 'PROPOSED';

/**
 * Writes a version that is not current.
 *
 * @param version its id (API reference, PutSecretValue, ClientRequestToken)
 */
export async function putVersion(
  client: SecretsManagerClient,
  secretArn: string,
  text: string,
  stage: string,
  version: string = randomUUID(),
): Promise<string> {
  const input = {
    SecretId: secretArn,
    SecretString: text,
    ClientRequestToken: version,
    VersionStages: [stage],
  };
  await client.send(new PutSecretValueCommand(input));
  return version;
}

/**
 * Writes a new current version. The first write of a secret replaces nothing. Every later one writes a version that
 * is not current, and then moves AWSCURRENT to it.
 *
 * @param replaces the version that must still be current
 * @returns the new version
 * @throws {KeysChangedError} when another version is current
 */
export async function replaceCurrent(
  client: SecretsManagerClient,
  secretArn: string,
  text: string,
  replaces: string | undefined,
): Promise<string> {
  if (replaces === undefined) {
    return await putVersion(client, secretArn, text, keyStages.current);
  }
  const version = await putVersion(client, secretArn, text, proposedStage);
  await makeCurrent(client, secretArn, version, replaces);
  return version;
}

/**
 * Puts a label on a version, and takes it from the version that has it.
 *
 * @throws {KeysChangedError} when another operation moved the label meanwhile
 */
export async function labelVersion(
  client: SecretsManagerClient,
  secretArn: string,
  stage: string,
  to: string,
): Promise<void> {
  const from = (await stagesOf(client, secretArn))(stage);
  if (from === to) {
    return;
  }
  try {
    await moveStage(client, secretArn, stage, { from, to });
  } catch (error) {
    throw error instanceof InvalidParameterException ? new KeysChangedError() : error;
  }
}

/**
 * Secrets Manager writes under the key that the secret has at the time. Whoever may use another key than the stack's
 * could read what is written.
 *
 * @throws {InternalError} when the secret has another key
 */
export async function requireKmsKey(
  client: SecretsManagerClient,
  secretArn: string,
  keyArn: string,
): Promise<void> {
  const { KmsKeyId } = await client.send(new DescribeSecretCommand({ SecretId: secretArn }));
  if (!namesKey(KmsKeyId, keyArn)) {
    throw new InternalError(
      `The secret of the signing keys is encrypted with ${KmsKeyId ?? 'the default key of Secrets Manager'}, not with the ` +
        'key of the stack. No private key was written. ' +
        `Set the key: aws secretsmanager update-secret --secret-id ${secretArn} --kms-key-id ${keyArn}`,
    );
  }
}

/**
 * Moves AWSCURRENT from one version to another, if the first still has it: the compare-and-swap of Secrets Manager.
 *
 * @throws {KeysChangedError} when another version is current
 */
export async function makeCurrent(
  client: SecretsManagerClient,
  secretArn: string,
  version: string,
  replaces: string,
): Promise<void> {
  try {
    await moveStage(client, secretArn, keyStages.current, { from: replaces, to: version });
  } catch (error) {
    // An earlier attempt of the same call may have moved the label, although the answer was lost.
    const current = (await readVersion(client, { SecretId: secretArn }))?.version;
    if (current === version) {
      return;
    }
    // Secrets Manager refuses a move from a version that is not current. This read may not show the change yet.
    const refused = error instanceof InvalidParameterException;
    throw current === replaces && !refused ? error : new KeysChangedError();
  }
}

/** Takes AWSPENDING from a version that has it. */
export async function dropPending(
  client: SecretsManagerClient,
  secretArn: string,
  version: string,
): Promise<void> {
  try {
    await moveStage(client, secretArn, 'AWSPENDING', { from: version });
  } catch (error) {
    // An earlier attempt of the same call, or the start of another rotation, may have taken the label away.
    const { pending } = await versionIds(client, secretArn);
    if (pending === version) {
      throw error;
    }
  }
}

async function moveStage(
  client: SecretsManagerClient,
  secretArn: string,
  stage: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string },
): Promise<void> {
  await client.send(
    new UpdateSecretVersionStageCommand({
      SecretId: secretArn,
      VersionStage: stage,
      RemoveFromVersionId: from,
      MoveToVersionId: to,
    }),
  );
}
