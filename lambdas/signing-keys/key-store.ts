import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  type KeySet,
  type PrivateJwk,
  parseKeySet,
  parseSigningKeys,
  type SigningKeys,
} from '../../storage/signing-keys.ts';
import type { Log } from '../shared/log/log.ts';
import {
  dropPending,
  makeCurrent,
  readVersion,
  replaceCurrent,
  type Stored,
  type VersionIds,
  versionIds,
} from './secret-versions.ts';

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
  readonly writeKeySet: (keySet: KeySet, replaces: string | undefined) => Promise<void>;
  /** The keys that sign. */
  readonly readCurrent: () => Promise<Stored<SigningKeys> | undefined>;
  /** The keys in a version, whichever labels it has. A rotation's token is the id of the version that it prepares. */
  readonly readVersion: (version: string) => Promise<SigningKeys | undefined>;
  readonly writeCurrent: (keys: SigningKeys, replaces: string | undefined) => Promise<void>;
  /** Stores keys under the rotation's token. They do not sign yet. */
  readonly writePending: (token: string, keys: SigningKeys) => Promise<void>;
  /** Version ids of the keys that sign, and of the keys that a rotation prepares. */
  readonly versions: () => Promise<VersionIds>;
  /** Makes the pending keys sign, in place of the keys of version `replaces`. */
  readonly promote: (token: string, replaces: string) => Promise<void>;
  /** Takes AWSPENDING from a rotation that has finished or was given up, so that another rotation can start. */
  readonly dropPending: (version: string) => Promise<void>;
}

/** The two secrets in Secrets Manager. */
export function createKeyStore(
  client: SecretsManagerClient,
  secretArns: { readonly signingKey: string; readonly keySet: string },
): KeyStore {
  const { signingKey, keySet } = secretArns;
  return {
    readKeySet: async () => parsed(await readVersion(client, { SecretId: keySet }), parseKeySet),
    writeKeySet: (value, replaces) => replaceCurrent(client, keySet, JSON.stringify(value), replaces),
    readCurrent: async () => parsed(await readVersion(client, { SecretId: signingKey }), parseSigningKeys),
    readVersion: async (version) => {
      const input = { SecretId: signingKey, VersionId: version };
      return parsed(await readVersion(client, input), parseSigningKeys)?.value;
    },
    writeCurrent: (keys, replaces) => replaceCurrent(client, signingKey, JSON.stringify(keys), replaces),
    writePending: async (token, keys) => {
      const input = {
        SecretId: signingKey,
        SecretString: JSON.stringify(keys),
        ClientRequestToken: token,
        VersionStages: ['AWSPENDING'],
      };
      await client.send(new PutSecretValueCommand(input));
    },
    versions: () => versionIds(client, signingKey),
    promote: (token, replaces) => makeCurrent(client, signingKey, token, replaces),
    dropPending: (version) => dropPending(client, signingKey, version),
  };
}

function parsed<Value>(
  stored: Stored<string | undefined> | undefined,
  parse: (text: string) => Value,
): Stored<Value> | undefined {
  return stored?.value === undefined ? undefined : { value: parse(stored.value), version: stored.version };
}
