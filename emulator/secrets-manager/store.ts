import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Mutex } from '../shared/concurrency.ts';
import { AwsError } from '../shared/errors.ts';
import {
  makeDirectory,
  readFileIfPresent,
  removeTemporaryFiles,
  writeFileAtomically,
} from '../shared/files.ts';
import { physicalName } from '../shared/names.ts';
import type { Resource, StackIdentity } from '../shared/resource-type.ts';
import { ofType, type TypedResource } from '../shared/resources.ts';
import { putValue, type Secret } from './secret.ts';

type SecretProperties = TypedResource<'AWS::SecretsManager::Secret'>['properties'];

/** The secrets of the template, each in a file of its own. */
export interface SecretStore {
  /** @throws {AwsError} ResourceNotFoundException when no secret has this ARN or name */
  readonly read: (secretId: string) => Secret;
  /** Changes a secret, durably before this returns. Changes of one secret follow each other. */
  readonly change: (secretId: string, change: (secret: Secret) => Secret) => Promise<Secret>;
  readonly arns: readonly string[];
}

/** Opens the secrets, making those that the template has and the state folder has not. */
export async function openSecretStore(
  directory: string,
  resources: readonly Resource[],
  stack: StackIdentity,
  now: () => Date,
): Promise<SecretStore> {
  await makeDirectory(directory);
  await removeTemporaryFiles(directory);
  const secrets = new Map<string, Secret>();
  const mutexes = new Map<string, Mutex>();
  const save = async (secret: Secret) => {
    await writeFileAtomically(join(directory, `${secret.name}.json`), JSON.stringify(secret));
    secrets.set(secret.arn, secret);
  };
  for (const { logicalId, ref, properties } of ofType(resources, 'AWS::SecretsManager::Secret')) {
    const name = physicalName(logicalId, stack);
    const stored = await readFileIfPresent(join(directory, `${name}.json`));
    if (stored === undefined) await save(createSecret(ref, name, properties, now().getTime()));
    else secrets.set(ref, JSON.parse(stored) as Secret);
    mutexes.set(ref, new Mutex());
  }
  const read = (secretId: string) => requireSecret(secrets, secretId);
  return {
    read,
    arns: [...secrets.keys()],
    change: (secretId, change) => {
      const { arn } = read(secretId);
      const mutex = mutexes.get(arn) ?? new Mutex();
      return mutex.run(async () => {
        const [before, after] = [read(arn), change(read(arn))];
        if (after !== before) await save(after);
        return after;
      });
    },
  };
}

function requireSecret(secrets: ReadonlyMap<string, Secret>, secretId: string): Secret {
  const secret = secrets.get(secretId) ?? [...secrets.values()].find(({ name }) => name === secretId);
  if (secret === undefined) {
    throw new AwsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return secret;
}

function createSecret(arn: string, name: string, properties: SecretProperties, now: number): Secret {
  const empty: Secret = { arn, name, createdAt: now, changedAt: now, versions: [] };
  const text = initialValue(properties);
  return text === undefined ? empty : putValue(empty, randomUUID(), { text }, ['AWSCURRENT'], now);
}

function initialValue({
  SecretString,
  GenerateSecretString: generate,
}: SecretProperties): string | undefined {
  if (SecretString !== undefined || generate === undefined) return SecretString;
  const { PasswordLength = 32, ExcludePunctuation = false, ExcludeCharacters = '' } = generate;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const punctuation = ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
  const alphabet = [...`${letters}${punctuation}`].filter((it) => !ExcludeCharacters.includes(it));
  const password = Array.from({ length: PasswordLength }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
  const { SecretStringTemplate: template, GenerateStringKey: key } = generate;
  if (template === undefined || key === undefined) return password;
  return JSON.stringify({ ...(JSON.parse(template) as object), [key]: password });
}
