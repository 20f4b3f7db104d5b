import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { type KeySet, parseKeySet, parseSigningKeys, type SigningKeys } from '../shared/keys.ts';
import { InternalError } from '../shared/log.ts';

/** The two secrets, as changing keys reads and writes them. Secrets start without any value. */
export interface KeyStore {
  readonly readKeySet: () => Promise<KeySet | undefined>;
  readonly writeKeySet: (keySet: KeySet) => Promise<void>;
  /** The keys that sign. */
  readonly readCurrent: () => Promise<SigningKeys | undefined>;
  /** The keys that a rotation prepares, by its token. */
  readonly readPending: (token: string) => Promise<SigningKeys | undefined>;
  readonly writeCurrent: (keys: SigningKeys) => Promise<void>;
  /** Stores keys under the rotation's token, signing nothing yet. */
  readonly writePending: (token: string, keys: SigningKeys) => Promise<void>;
  /** Version ids (a rotation's token is one) of the keys that sign, and of those that a rotation prepares. */
  readonly versions: () => Promise<{ readonly current?: string; readonly pending?: string }>;
  /** Lets the pending keys sign. */
  readonly promote: (token: string, currentVersion: string | undefined) => Promise<void>;
  /** Gives up the rotation of that version, so that another one can start. */
  readonly dropPending: (version: string) => Promise<void>;
}

export function createKeyStore(
  client: SecretsManagerClient,
  secrets: { readonly signingKey: string; readonly keySet: string },
): KeyStore {
  const { signingKey, keySet } = secrets;

  async function moveStage(VersionStage: string, from: string | undefined, to?: string): Promise<void> {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: signingKey,
        VersionStage,
        ...(from === undefined ? {} : { RemoveFromVersionId: from }),
        ...(to === undefined ? {} : { MoveToVersionId: to }),
      }),
    );
  }

  return {
    readKeySet: async () => parsed(await read(client, { SecretId: keySet }), parseKeySet),
    writeKeySet: (value) => write(client, { SecretId: keySet, SecretString: JSON.stringify(value) }),
    readCurrent: async () => parsed(await read(client, { SecretId: signingKey }), parseSigningKeys),
    readPending: async (token) =>
      parsed(
        await read(client, { SecretId: signingKey, VersionId: token, VersionStage: 'AWSPENDING' }),
        parseSigningKeys,
      ),
    writeCurrent: (keys) => write(client, { SecretId: signingKey, SecretString: JSON.stringify(keys) }),
    writePending: (token, keys) =>
      write(client, {
        SecretId: signingKey,
        SecretString: JSON.stringify(keys),
        ClientRequestToken: token,
        VersionStages: ['AWSPENDING'],
      }),
    versions: async () => {
      const { VersionIdsToStages = {} } = await client.send(
        new DescribeSecretCommand({ SecretId: signingKey }),
      );
      const versionWith = (stage: string) =>
        Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
      const [current, pending] = [versionWith('AWSCURRENT'), versionWith('AWSPENDING')];
      return { ...(current === undefined ? {} : { current }), ...(pending === undefined ? {} : { pending }) };
    },
    promote: (token, currentVersion) => moveStage('AWSCURRENT', currentVersion, token),
    dropPending: (version) => moveStage('AWSPENDING', version),
  };
}

type ReadInput = ConstructorParameters<typeof GetSecretValueCommand>[0];
type WriteInput = ConstructorParameters<typeof PutSecretValueCommand>[0];

/** @returns undefined when there is no such version, or none with a value */
async function read(client: SecretsManagerClient, input: ReadInput): Promise<string | undefined> {
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand(input));
    return SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) {
      return undefined;
    }
    throw error;
  }
}

async function write(client: SecretsManagerClient, input: WriteInput): Promise<void> {
  const { VersionId } = await client.send(new PutSecretValueCommand(input));
  if (VersionId === undefined) {
    throw new InternalError('PutSecretValue gave no version');
  }
}

function parsed<Value>(text: string | undefined, parse: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : parse(text);
}
