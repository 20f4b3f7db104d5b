import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KeyedMutex } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import { listDirectory, openDirectory, writeFileAtomically } from '../shared/files.ts';
import { physicalName, type StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { readStateFile, restoreOrStartElsewhere } from '../shared/state-file.ts';
import { secretType } from './resource-types.ts';
import { putValue, type Secret, secretSchema } from './secret.ts';

/** Secrets of the template and of CreateSecret, each in its own file. */
export interface SecretStore {
  /** @throws {AwsError} ResourceExistsException when a secret has this ARN */
  readonly create: (secret: Secret) => Promise<void>;
  /** @throws {AwsError} ResourceNotFoundException when no secret has this name or ARN */
  readonly read: (secretId: string) => Secret;
  /** Changes a secret. The change is durable when this resolves. Changes of one secret happen one after another. */
  readonly change: (secretArn: string, change: (secret: Secret) => Secret) => Promise<Secret>;
}

/** Opens the secrets. Creates the template's secrets that are not in the state folder. */
export async function openSecretStore(
  directory: string,
  resources: readonly Resource[],
  stack: StackIdentity,
  now: () => Date,
): Promise<SecretStore> {
  await openDirectory(directory);
  const secrets = new Map<string, Secret>();
  const mutex = new KeyedMutex();
  const pathOf = (name: string) => join(directory, `${encodeURIComponent(name)}.json`);
  const load = (path: string) => readStateFile(path, secretSchema, restoreOrStartElsewhere);
  const save = async (secret: Secret) => {
    await writeFileAtomically(pathOf(secret.name), JSON.stringify(secret));
    secrets.set(secret.arn, secret);
  };
  for (const file of await listDirectory(directory)) {
    const secret = await load(join(directory, file));
    if (secret !== undefined) {
      secrets.set(secret.arn, secret);
    }
  }
  for (const { logicalId, ref, properties } of ofType(resources, secretType)) {
    const name = physicalName(logicalId, stack);
    const stored = await load(pathOf(name));
    const { Description: description, SecretString: text } = properties;
    if (stored === undefined) {
      await save({ ...newSecret(ref, name, text, randomUUID(), now()), description });
    } else {
      secrets.set(ref, { ...stored, description });
    }
  }
  const read = (secretId: string) => {
    const secret = [...secrets.values()].find(({ name, arn }) => [name, arn].includes(secretId));
    if (secret === undefined) {
      const text = "Secrets Manager can't find the specified secret.";
      throw new AwsError(400, 'ResourceNotFoundException', text);
    }
    return secret;
  };
  return {
    read,
    create: (secret) =>
      mutex.run(secret.arn, async () => {
        if (secrets.has(secret.arn)) {
          const text = `The operation failed because the secret ${secret.name} already exists.`;
          throw new AwsError(400, 'ResourceExistsException', text);
        }
        await save(secret);
      }),
    change: (secretArn, change) =>
      mutex.run(secretArn, async () => {
        const before = read(secretArn);
        const after = change(before);
        if (after !== before) {
          await save(after);
        }
        return after;
      }),
  };
}

/** Creates a secret. Its first version contains the text, if there is one. */
export function newSecret(
  arn: string,
  name: string,
  text: string | undefined,
  versionId: string,
  at: Date,
): Secret {
  const now = at.getTime();
  const empty: Secret = { arn, name, createdAt: now, changedAt: now, versions: [] };
  return text === undefined ? empty : putValue(empty, versionId, { text }, ['AWSCURRENT'], now);
}
