import type { KeyStore, SigningKeys } from '../../../lambdas/signing-keys/key-store.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import type { KeySet, KeySetEntry } from '../../../storage/signing-keys.ts';

/** The two secrets in memory, with versions and stages as Secrets Manager has them; dies where it is told to. */
export class FakeKeyStore implements KeyStore {
  keySet: KeySet | undefined;
  readonly values = new Map<string, SigningKeys>();
  current: string | undefined;
  pending: string | undefined;
  /** The version with the label NEXT. */
  next: string | undefined;
  /** Names of the writes, in order. */
  readonly writes: string[] = [];
  /** The process dies after so many writes. */
  writesLeft = Number.POSITIVE_INFINITY;
  /** Every call waits for this before it has an effect, so that a test can choose the order of calls. */
  turn: () => Promise<unknown> = async () => undefined;
  private versionCount = 0;
  private keySetVersion = 0;

  /** The keys that sign. */
  get keys(): SigningKeys {
    const keys = this.values.get(this.current ?? '');
    if (keys === undefined) {
      throw new Error('no keys');
    }
    return keys;
  }

  entry(kid: string): KeySetEntry | undefined {
    return this.keySet?.keys.find(({ jwk }) => jwk.kid === kid);
  }

  /**
   * What RotateSecret does before it calls the function.
   *
   * @throws {Error} while another rotation is not complete: AWSPENDING stands elsewhere than AWSCURRENT
   */
  begin(token: string): void {
    if (token === this.current || token === this.pending) {
      return;
    }
    if (this.pending !== undefined && this.pending !== this.current) {
      throw new Error("A previous rotation isn't complete");
    }
    this.pending = token;
  }

  readonly readKeySet = async () => {
    await this.turn();
    return this.keySet && { value: this.keySet, version: String(this.keySetVersion) };
  };

  readonly readCurrent = async () => {
    await this.turn();
    return this.current === undefined ? undefined : stored(this.keys, this.current);
  };

  readonly readVersion = async (version: string) => {
    await this.turn();
    const keys = this.values.get(version);
    return keys && stored(keys, version);
  };

  readonly versions = async () => {
    await this.turn();
    return { current: this.current, pending: this.pending };
  };

  readonly writeKeySet = async (keySet: KeySet, replaces: string | undefined) =>
    this.write('keySet', () => {
      requireUnchanged(replaces === undefined || replaces === String(this.keySetVersion));
      this.keySetVersion += 1;
      this.keySet = structuredClone(keySet);
      return String(this.keySetVersion);
    });

  readonly writeCurrent = async (keys: SigningKeys, replaces: string | undefined) =>
    this.write('current', () => {
      requireUnchanged(replaces === this.current);
      this.versionCount += 1;
      this.current = `version-${this.versionCount}`;
      this.values.set(this.current, keys);
      return stored(keys, this.current);
    });

  readonly writePending = async (token: string, keys: SigningKeys) =>
    this.write('pending', () => {
      if (this.values.has(token)) {
        throw new Error('A version cannot be changed');
      }
      this.pending = token;
      this.values.set(token, keys);
    });

  readonly promote = async (token: string, replaces: string) =>
    this.write('promote', () => {
      requireUnchanged(replaces === this.current);
      this.current = token;
    });

  readonly dropPending = async (version: string) =>
    this.write('dropPending', () => {
      if (version !== this.pending) {
        throw new Error('AWSPENDING is elsewhere');
      }
      this.pending = undefined;
    });

  readonly labelNext = async (version: string) => {
    this.next = version;
  };

  requireKmsKey = async () => undefined;

  private async write<Result>(name: string, effect: () => Result): Promise<Result> {
    await this.turn();
    if (this.writesLeft === 0) {
      throw new Error('crash');
    }
    this.writesLeft -= 1;
    const result = effect();
    this.writes.push(name);
    return result;
  }
}

function stored(value: SigningKeys, version: string) {
  return { value, version, nextVersion: `${version}-next` };
}

function requireUnchanged(isUnchanged: boolean): void {
  if (!isUnchanged) {
    throw new KeysChangedError();
  }
}
