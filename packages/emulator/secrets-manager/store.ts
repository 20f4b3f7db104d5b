import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KeyedMutex } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import { openDirectory, writeFileAtomically } from '../shared/files.ts';
import { physicalName, type StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { readStateFile, restoreOrStartElsewhere } from '../shared/state-file.ts';
import { secretType } from './resource-types.ts';
import { putValue, type Secret, secretSchema } from './secret.ts';

/** Secrets of the template, each in its own file. */
export interface SecretStore {
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
  const save = async (secret: Secret) => {
    await writeFileAtomically(join(directory, `${secret.name}.json`), JSON.stringify(secret));
    secrets.set(secret.arn, secret);
  };
  for (const { logicalId, ref, properties } of ofType(resources, secretType)) {
    const name = physicalName(logicalId, stack);
    const path = join(directory, `${name}.json`);
    const stored = await readStateFile(path, secretSchema, restoreOrStartElsewhere);
    const { Description: description, SecretString: text } = properties;
    if (stored === undefined) {
      await save({ ...createSecret(ref, name, text, now().getTime()), description });
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

function createSecret(arn: string, name: string, text: string | undefined, now: number): Secret {
  const empty: Secret = { arn, name, createdAt: now, changedAt: now, versions: [] };
  return text === undefined ? empty : putValue(empty, randomUUID(), { text }, ['AWSCURRENT'], now);
}
