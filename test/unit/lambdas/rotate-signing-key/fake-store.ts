import type { KeyStore } from '../../../../lambdas/rotate-signing-key/key-store.ts';
import type { KeySet, SigningKeys } from '../../../../lambdas/shared/keys.ts';

/** The two secrets in memory, with versions and stages as Secrets Manager has them; dies where it is told to. */
export class FakeKeyStore implements KeyStore {
  keySet: KeySet | undefined;
  readonly values = new Map<string, SigningKeys>();
  current: string | undefined;
  pending: string | undefined;
  /** Names of the writes, in order. */
  readonly writes: string[] = [];
  /** The process dies after so many writes. */
  writesLeft = Number.POSITIVE_INFINITY;
  private versionCount = 0;

  readonly readKeySet = async () => this.keySet;
  readonly readCurrent = async () => (this.current === undefined ? undefined : this.values.get(this.current));
  readonly readPending = async (token: string) =>
    this.pending === token ? this.values.get(token) : undefined;
  readonly versions = async () => ({
    ...(this.current === undefined ? {} : { current: this.current }),
    ...(this.pending === undefined ? {} : { pending: this.pending }),
  });

  readonly writeKeySet = async (keySet: KeySet) =>
    this.write('keySet', () => {
      this.keySet = structuredClone(keySet);
    });

  readonly writeCurrent = async (keys: SigningKeys) =>
    this.write('current', () => {
      this.versionCount += 1;
      this.current = `version-${this.versionCount}`;
      this.values.set(this.current, keys);
    });

  readonly writePending = async (token: string, keys: SigningKeys) =>
    this.write('pending', () => {
      this.pending = token;
      this.values.set(token, keys);
    });

  readonly promote = async (token: string, from: string | undefined) =>
    this.write('promote', () => {
      if (from !== this.current) throw new Error('AWSCURRENT is elsewhere');
      this.current = token;
    });

  readonly dropPending = async () =>
    this.write('dropPending', () => {
      this.pending = undefined;
    });

  private write(name: string, effect: () => void): void {
    if (this.writesLeft === 0) throw new Error('crash');
    this.writesLeft -= 1;
    effect();
    this.writes.push(name);
  }
}
