import type { ClientCredentials, SigningKey } from './deployment.ts';

/** A service to attack: where it is, what an attacker may have, and what it wrote down. */
export interface AttackedService {
  /** Of the API, and issuer and audience of its tokens. */
  readonly baseUrl: string;
  /** Where upload URLs point. */
  readonly storageOrigin: string;
  /** Holds both scopes. */
  readonly client: ClientCredentials;
  /** Holds `volume:read` alone. */
  readonly reader: ClientCredentials;
  readonly revoked: ClientCredentials;
  /** Of the client's organisation, syncing enabled. */
  readonly file: string;
  readonly fileNotEnabled: string;
  /** Of another organisation, syncing enabled. */
  readonly fileOfAnother: string;
  /** A key that is published here and that the attack may sign with, to be wrong in one thing alone. */
  readonly signingKey: SigningKey;
  /** Every line that access log and functions wrote so far. */
  readonly logLines: () => Promise<readonly string[]>;
  /** Keys of the stored objects. */
  readonly storedKeys: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}
