import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  type KeySet,
  type PrivateJwk,
  parseKeySet,
  parseSigningKey,
  type SigningKey,
} from '../../storage/signing-keys.ts';
import type { Log } from '../shared/log/log.ts';
import { type Stored, secretVersions } from './secret-versions.ts';

/** The current key, which signs, and the next key, which signs after it. */
export interface SigningKeys {
  readonly current: PrivateJwk;
  readonly next: PrivateJwk;
  /** Version that these keys replace. Only in keys from a rotation. */
  readonly follows?: string;
}

/**
 * Keys in storage. The version of the next key may be missing: a read can be late, or the version is lost.
 */
export interface StoredKeys extends Stored<Omit<SigningKeys, 'next'> & { readonly next?: PrivateJwk }> {
  readonly nextVersion: string | undefined;
}

/** A complete set of keys. */
export interface CompleteKeys extends StoredKeys {
  readonly value: SigningKeys;
  readonly nextVersion: string;
}

/** Dependencies of every change of the signing keys. */
export interface KeyDependencies {
  readonly store: KeyStore;
  /** Creates a key of the configured algorithm. */
  readonly generateKey: () => Promise<PrivateJwk>;
  readonly tokenLifetimeSeconds: number;
  readonly now: () => Date;
  readonly log: Log;
}

/** Label of a next key whose current key does not sign yet. */
const proposedNextStage = 'PROPOSED_NEXT';

export type KeyStore = ReturnType<typeof createKeyStore>;

/**
 * Creates the store of the two secrets in Secrets Manager: the private signing keys and the public key set. A new
 * secret is empty. Each write names the version that it replaces, and throws {@link KeysChangedError} if another
 * version is current. So a rotation and a revocation at the same time cannot undo each other.
 *
 * Each private key is stored in a separate version. The version with AWSCURRENT names the version of the next key,
 * so moving one label changes both keys.
 */
export function createKeyStore(
  client: SecretsManagerClient,
  arns: { readonly signingKey: string; readonly keySet: string; readonly kmsKey: string },
) {
  const privateKeys = secretVersions(client, arns.signingKey);
  const keySet = secretVersions(client, arns.keySet);
  const read = async (version?: string) => parsed(await privateKeys.read(version), parseSigningKey);
  const readKeys = async (version?: string): Promise<StoredKeys | undefined> => {
    const stored = await read(version);
    if (stored === undefined) {
      return undefined;
    }
    const { key: current, next: nextVersion, ...rotation } = stored.value;
    const next = nextVersion && (await read(nextVersion))?.value.key;
    return { value: { current, ...(next && { next }), ...rotation }, version: stored.version, nextVersion };
  };
  /** @throws {InternalError} when the secret of the private keys has another KMS key than the stack's */
  const requireKmsKey = () => privateKeys.requireKmsKey(arns.kmsKey);
  /** Writes the next key. @returns its version, and the text to write for the current key */
  const writeNext = async ({ current: key, next, ...rotation }: SigningKeys) => {
    await requireKmsKey();
    const nextText = JSON.stringify({ key: next } satisfies SigningKey);
    const nextVersion = await privateKeys.put(nextText, proposedNextStage);
    return {
      nextVersion,
      text: JSON.stringify({ key, next: nextVersion, ...rotation } satisfies SigningKey),
    };
  };
  return {
    ...privateKeys,
    readKeySet: async () => parsed(await keySet.read(), parseKeySet),
    /** @returns version of the key set */
    writeKeySet: (value: KeySet, replaces: string | undefined) =>
      keySet.replace(JSON.stringify(value), replaces),
    /** Reads the current key and the next key. */
    readCurrent: () => readKeys(),
    /**
     * Reads the keys of a version, whatever its labels. A rotation's token is the id of the version that it
     * prepares.
     */
    readVersion: (version: string) => readKeys(version),
    /** @returns keys with their versions */
    writeCurrent: async (keys: SigningKeys, replaces: string | undefined) => {
      const { text, nextVersion } = await writeNext(keys);
      return { value: keys, version: await privateKeys.replace(text, replaces), nextVersion };
    },
    /** Stores keys under the rotation's token. They do not sign yet. */
    writePending: async (token: string, keys: SigningKeys) => {
      await privateKeys.put((await writeNext(keys)).text, 'AWSPENDING', token);
    },
    requireKmsKey,
  };
}

function parsed<Value>(stored: Stored<string> | undefined, parse: (text: string) => Value) {
  return stored && { ...stored, value: parse(stored.value) };
}
