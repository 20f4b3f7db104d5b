import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  type KeySet,
  keyStages,
  type PrivateJwk,
  parseKeySet,
  parseSigningKey,
  type SigningKey,
} from '../../storage/signing-keys.ts';
import type { Log } from '../shared/log/log.ts';
import {
  dropPending,
  labelVersion,
  makeCurrent,
  putVersion,
  readVersion,
  replaceCurrent,
  requireKmsKey,
  type Stored,
  type VersionIds,
  versionIds,
} from './secret-versions.ts';

/** The key that signs, and the key that signs after it. */
export interface SigningKeys {
  readonly current: PrivateJwk;
  readonly next: PrivateJwk;
  /** Only in keys that a rotation made: the version that these keys replace. */
  readonly follows?: string;
}

/** Keys as they were read. The version of the next key may be missing: a read can be late, or the version is lost. */
export interface StoredKeys extends Stored<Omit<SigningKeys, 'next'> & { readonly next?: PrivateJwk }> {
  readonly nextVersion: string | undefined;
}

/** Keys of which none is missing. */
export interface WholeKeys extends StoredKeys {
  readonly value: SigningKeys;
  readonly nextVersion: string;
}

/** What every change of the signing keys needs. */
export interface KeyDependencies {
  readonly store: KeyStore;
  /** Makes a key of the configured algorithm. */
  readonly generateKey: () => Promise<PrivateJwk>;
  readonly tokenLifetimeSeconds: number;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * The two secrets: the private signing keys and the public key set. A new secret has no value. Each write names the
 * version that it replaces, and throws {@link KeysChangedError} when another version is current. So a rotation and a
 * revocation at the same time cannot undo each other.
 */
export interface KeyStore {
  readonly readKeySet: () => Promise<Stored<KeySet> | undefined>;
  /** @returns the version of the key set */
  readonly writeKeySet: (keySet: KeySet, replaces: string | undefined) => Promise<string>;
  /** The key that signs, and the next key. */
  readonly readCurrent: () => Promise<StoredKeys | undefined>;
  /** The keys of a version, whichever labels it has. A rotation's token is the id of the version that it prepares. */
  readonly readVersion: (version: string) => Promise<StoredKeys | undefined>;
  /** @returns the keys with their versions */
  readonly writeCurrent: (keys: SigningKeys, replaces: string | undefined) => Promise<WholeKeys>;
  /** Stores keys under the rotation's token. They do not sign yet. */
  readonly writePending: (token: string, keys: SigningKeys) => Promise<void>;
  /** Version ids of the keys that sign, and of the keys that a rotation prepares. */
  readonly versions: () => Promise<VersionIds>;
  /** Makes the pending keys sign, in place of the keys of version `replaces`. */
  readonly promote: (token: string, replaces: string) => Promise<void>;
  /** Puts the label NEXT on the version of the next key. */
  readonly labelNext: (version: string) => Promise<void>;
  /** Takes AWSPENDING from a rotation that has finished or was given up, so that another rotation can start. */
  readonly dropPending: (version: string) => Promise<void>;
  /** @throws {InternalError} when the secret of the private keys has another KMS key than the stack's */
  readonly requireKmsKey: () => Promise<void>;
}

/** Label of a next key whose current key does not sign yet. */
const proposedNextStage = 'PROPOSED_NEXT';

/**
 * The two secrets in Secrets Manager. Each private key has a version of its own. The version with AWSCURRENT names the
 * version of the next key, so both keys change by the move of one label.
 */
export function createKeyStore(
  client: SecretsManagerClient,
  arns: { readonly signingKey: string; readonly keySet: string; readonly kmsKey: string },
): KeyStore {
  const { signingKey, keySet, kmsKey } = arns;
  const read = async (version?: string) =>
    parsed(await readVersion(client, { SecretId: signingKey, VersionId: version }), parseSigningKey);
  const readKeys = async (version?: string): Promise<StoredKeys | undefined> => {
    const stored = await read(version);
    if (stored === undefined) {
      return undefined;
    }
    const { key: current, next: nextVersion, follows } = stored.value;
    const next = nextVersion === undefined ? undefined : (await read(nextVersion))?.value.key;
    const value = { current, ...(next && { next }), ...(follows && { follows }) };
    return { value, version: stored.version, nextVersion };
  };
  const requireStackKey = () => requireKmsKey(client, signingKey, kmsKey);
  /** Writes the next key. @returns its version, and the text to write for the current key */
  const writeNext = async ({ current: key, next, follows }: SigningKeys) => {
    await requireStackKey();
    const nextText = JSON.stringify({ key: next } satisfies SigningKey);
    const nextVersion = await putVersion(client, signingKey, nextText, proposedNextStage);
    const current: SigningKey = { key, next: nextVersion, ...(follows && { follows }) };
    return { nextVersion, text: JSON.stringify(current) };
  };
  return {
    readKeySet: async () => parsed(await readVersion(client, { SecretId: keySet }), parseKeySet),
    writeKeySet: (value, replaces) => replaceCurrent(client, keySet, JSON.stringify(value), replaces),
    readCurrent: () => readKeys(),
    readVersion: readKeys,
    writeCurrent: async (keys, replaces) => {
      const { text, nextVersion } = await writeNext(keys);
      const version = await replaceCurrent(client, signingKey, text, replaces);
      return { value: keys, version, nextVersion };
    },
    writePending: async (token, keys) => {
      const { text } = await writeNext(keys);
      await putVersion(client, signingKey, text, 'AWSPENDING', token);
    },
    versions: () => versionIds(client, signingKey),
    promote: (token, replaces) => makeCurrent(client, signingKey, token, replaces),
    labelNext: (version) => labelVersion(client, signingKey, keyStages.next, version),
    dropPending: (version) => dropPending(client, signingKey, version),
    requireKmsKey: requireStackKey,
  };
}

function parsed<Value>(
  stored: Stored<string | undefined> | undefined,
  parse: (text: string) => Value,
): Stored<Value> | undefined {
  return stored?.value === undefined ? undefined : { value: parse(stored.value), version: stored.version };
}
