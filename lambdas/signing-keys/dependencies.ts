import type { PrivateJwk } from '../../storage/signing-keys.ts';
import type { Log } from '../shared/log.ts';
import type { KeyStore } from './key-store.ts';

/** What changing the signing keys needs. */
export interface KeyDependencies {
  readonly store: KeyStore;
  /** Makes a key of the configured algorithm. */
  readonly generateKey: () => Promise<PrivateJwk>;
  readonly tokenLifetimeSeconds: number;
  readonly now: () => Date;
  readonly log: Log;
}
