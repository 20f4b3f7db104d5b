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

/** A value, and its version of the secret. */
export interface Stored<Value> {
  readonly value: Value;
  readonly version: string;
}

/** Another operation changed the keys between the read and the write. The write was rejected. */
export class KeysChangedError extends InternalError {
  override readonly name = 'KeysChangedError';
  constructor() {
    super('Another operation changed the keys at the same time: try again');
  }
}

/** Ids of the versions that carry AWSCURRENT, AWSPENDING and NEXT. */
export type VersionIds = Awaited<ReturnType<SecretVersions['versions']>>;

/** Label of a version that is not current yet. Every version needs a label before AWSCURRENT moves to it. */
const proposedStage = 'PROPOSED';

type SecretVersions = ReturnType<typeof secretVersions>;

/** The versions of one secret. */
export function secretVersions(client: SecretsManagerClient, SecretId: string) {
  const move = (VersionStage: string, from: string | undefined, to?: string) => {
    const labels = { VersionStage, RemoveFromVersionId: from, MoveToVersionId: to };
    return client.send(new UpdateSecretVersionStageCommand({ SecretId, ...labels }));
  };

  /**
   * Reads a version by its id, or the current one.
   *
   * @returns undefined when there is no such version, or when it holds no text
   */
  async function read(version?: string): Promise<Stored<string> | undefined> {
    try {
      const command = new GetSecretValueCommand({ SecretId, VersionId: version });
      const { SecretString: value, VersionId = '' } = await client.send(command);
      return value === undefined ? undefined : { value, version: VersionId };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) {
        return undefined;
      }
      throw error;
    }
  }

  async function versions() {
    const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    const holder = (stage: string) =>
      Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
    return {
      current: holder(keyStages.current),
      pending: holder('AWSPENDING'),
      next: holder(keyStages.next),
    };
  }

  /**
   * Writes a version that is not current.
   *
   * @param version its id (API reference, PutSecretValue, ClientRequestToken)
   */
  async function put(text: string, stage: string, version: string = randomUUID()): Promise<string> {
    const value = { SecretString: text, ClientRequestToken: version, VersionStages: [stage] };
    await client.send(new PutSecretValueCommand({ SecretId, ...value }));
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
  async function replace(text: string, replaces: string | undefined): Promise<string> {
    if (replaces === undefined) {
      return await put(text, keyStages.current);
    }
    const version = await put(text, proposedStage);
    await promote(version, replaces);
    return version;
  }

  /**
   * Moves AWSCURRENT from one version to another, if the first still has it: the compare-and-swap of Secrets Manager.
   *
   * @throws {KeysChangedError} when another version is current
   */
  async function promote(version: string, replaces: string): Promise<void> {
    try {
      await move(keyStages.current, replaces, version);
    } catch (error) {
      // An earlier attempt of the same call may have moved the label, although the response was lost.
      const current = (await read())?.version;
      if (current === version) {
        return;
      }
      // Secrets Manager rejects a move from a version that is not current. This read may not show the change yet.
      const rejected = error instanceof InvalidParameterException;
      throw current === replaces && !rejected ? error : new KeysChangedError();
    }
  }

  /**
   * Puts the label NEXT on a version, and takes it from the version that has it.
   *
   * @throws {KeysChangedError} when another operation moved the label meanwhile
   */
  async function labelNext(version: string): Promise<void> {
    const { next } = await versions();
    if (next === version) {
      return;
    }
    try {
      await move(keyStages.next, next, version);
    } catch (error) {
      throw error instanceof InvalidParameterException ? new KeysChangedError() : error;
    }
  }

  /** Takes AWSPENDING from a version that has it. */
  async function dropPending(version: string): Promise<void> {
    try {
      await move('AWSPENDING', version);
    } catch (error) {
      // An earlier attempt of the same call, or the start of another rotation, may have taken the label away.
      if ((await versions()).pending === version) {
        throw error;
      }
    }
  }

  /**
   * Secrets Manager writes under the key that the secret has at the time. Whoever may use another key than the stack's
   * could read what is written.
   *
   * @throws {InternalError} when the secret has another key
   */
  async function requireKmsKey(keyArn: string): Promise<void> {
    const { KmsKeyId } = await client.send(new DescribeSecretCommand({ SecretId }));
    if (!namesKey(KmsKeyId, keyArn)) {
      throw new InternalError(
        `The secret of the signing keys is encrypted with ${KmsKeyId ?? 'the default key of Secrets Manager'}, not with the ` +
          'key of the stack. No private key was written. ' +
          `Set the key: aws secretsmanager update-secret --secret-id ${SecretId} --kms-key-id ${keyArn}`,
      );
    }
  }

  return { read, versions, put, replace, promote, labelNext, dropPending, requireKmsKey };
}
