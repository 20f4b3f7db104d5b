import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { type KeySet, parseKeySet, parseSigningKeys, type SigningKeys } from '../../storage/signing-keys.ts';
import { InternalError } from '../shared/log.ts';

/** A value, and the version of its secret that holds it. */
export interface Stored<Value> {
  readonly value: Value;
  readonly version: string;
}

/** Somebody else changed the keys between reading and writing; nothing was written. */
export class KeysChangedError extends InternalError {
  override readonly name = 'KeysChangedError';
  constructor() {
    super('The keys were changed at the same time by another operation: try again');
  }
}

/**
 * The two secrets, as changing keys reads and writes them. Secrets start without any value. A write names the version
 * that it replaces, and throws {@link KeysChangedError} when that is not the current one any more: a rotation and a
 * revocation at the same time can't undo each other.
 */
export interface KeyStore {
  readonly readKeySet: () => Promise<Stored<KeySet> | undefined>;
  readonly writeKeySet: (keySet: KeySet, replaces: string | undefined) => Promise<void>;
  /** The keys that sign. */
  readonly readCurrent: () => Promise<Stored<SigningKeys> | undefined>;
  /** The keys that a rotation prepares, by its token. */
  readonly readPending: (token: string) => Promise<SigningKeys | undefined>;
  readonly writeCurrent: (keys: SigningKeys, replaces: string | undefined) => Promise<void>;
  /** Stores keys under the rotation's token, signing nothing yet. */
  readonly writePending: (token: string, keys: SigningKeys) => Promise<void>;
  /** Version ids (a rotation's token is one) of the keys that sign, and of those that a rotation prepares. */
  readonly versions: () => Promise<{ readonly current?: string; readonly pending?: string }>;
  /** Lets the pending keys sign, in place of those of `replaces`. */
  readonly promote: (token: string, replaces: string | undefined) => Promise<void>;
  /** Takes its mark from a rotation that is finished or given up, so that another one can start. */
  readonly dropPending: (version: string) => Promise<void>;
}

export function createKeyStore(
  client: SecretsManagerClient,
  secrets: { readonly signingKey: string; readonly keySet: string },
): KeyStore {
  const { signingKey, keySet } = secrets;

  async function moveStage(
    secret: string,
    stage: string,
    { from, to }: { readonly from?: string | undefined; readonly to?: string },
  ): Promise<void> {
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secret,
        VersionStage: stage,
        ...(from === undefined ? {} : { RemoveFromVersionId: from }),
        ...(to === undefined ? {} : { MoveToVersionId: to }),
      }),
    );
  }

  /** Moves AWSCURRENT if it still stands where it stood: the compare-and-swap of Secrets Manager. */
  async function makeCurrent(secret: string, version: string, replaces: string | undefined): Promise<void> {
    try {
      await moveStage(secret, 'AWSCURRENT', { from: replaces, to: version });
    } catch (error) {
      // An earlier attempt of the same call may have moved it, and its answer been lost.
      const current = await read(client, { SecretId: secret });
      if (current?.version === version) {
        return;
      }
      throw current?.version === replaces ? error : new KeysChangedError();
    }
  }

  async function versions() {
    const { VersionIdsToStages = {} } = await client.send(
      new DescribeSecretCommand({ SecretId: signingKey }),
    );
    const versionWith = (stage: string) =>
      Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(stage))?.[0];
    const [current, pending] = [versionWith('AWSCURRENT'), versionWith('AWSPENDING')];
    return { ...(current === undefined ? {} : { current }), ...(pending === undefined ? {} : { pending }) };
  }

  /** A version of its own first, which counts for nothing until it is current. */
  async function replace(secret: string, text: string, replaces: string | undefined): Promise<void> {
    if (replaces === undefined) {
      await write(client, { SecretId: secret, SecretString: text });
      return;
    }
    const version = await write(client, {
      SecretId: secret,
      SecretString: text,
      VersionStages: [proposedStage],
    });
    await makeCurrent(secret, version, replaces);
  }

  return {
    readKeySet: async () => parsed(await read(client, { SecretId: keySet }), parseKeySet),
    writeKeySet: (value, replaces) => replace(keySet, JSON.stringify(value), replaces),
    readCurrent: async () => parsed(await read(client, { SecretId: signingKey }), parseSigningKeys),
    readPending: async (token) => {
      const input = { SecretId: signingKey, VersionId: token, VersionStage: 'AWSPENDING' };
      return parsed(await read(client, input), parseSigningKeys)?.value;
    },
    writeCurrent: (keys, replaces) => replace(signingKey, JSON.stringify(keys), replaces),
    writePending: async (token, keys) => {
      await write(client, {
        SecretId: signingKey,
        SecretString: JSON.stringify(keys),
        ClientRequestToken: token,
        VersionStages: ['AWSPENDING'],
      });
    },
    versions,
    promote: (token, replaces) => makeCurrent(signingKey, token, replaces),
    dropPending: async (version) => {
      try {
        await moveStage(signingKey, 'AWSPENDING', { from: version });
      } catch (error) {
        // An earlier attempt of the same call, or the beginning of another rotation, may have taken it away.
        const { pending } = await versions();
        if (pending === version) {
          throw error;
        }
      }
    },
  };
}

/** Stands on the version that was written last, so that it has a label before AWSCURRENT comes to it. */
const proposedStage = 'PROPOSED';

type ReadInput = ConstructorParameters<typeof GetSecretValueCommand>[0];
type WriteInput = ConstructorParameters<typeof PutSecretValueCommand>[0];

/** @returns undefined when there is no such version, or none with a value */
async function read(
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

/** @returns the version that was written */
async function write(client: SecretsManagerClient, input: WriteInput): Promise<string> {
  const { VersionId } = await client.send(new PutSecretValueCommand(input));
  if (VersionId === undefined) {
    throw new InternalError('PutSecretValue gave no version');
  }
  return VersionId;
}

function parsed<Value>(
  stored: Stored<string | undefined> | undefined,
  parse: (text: string) => Value,
): Stored<Value> | undefined {
  return stored?.value === undefined ? undefined : { value: parse(stored.value), version: stored.version };
}
