import { hash } from 'node:crypto';

/** What is kept of a token that was verified. */
export interface VerifiedToken<Caller> {
  /** The key that signed it. The token counts only while this key is published. */
  readonly kid: string;
  /** The `exp` claim: seconds since the epoch. From then on the token has expired. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

/** A token, as the cache knows it. */
export interface TokenId {
  readonly digest: string;
  readonly bytes: number;
}

/** SHA-256, so that no token stays in memory, and the time of a lookup tells nothing about one. */
export function tokenIdOf(token: string): TokenId {
  return { digest: hash('sha256', token, 'base64'), bytes: Buffer.byteLength(token) };
}

/** Tokens that this function has verified, so that a token need not be verified again until it expires. */
export interface VerifiedTokens<Caller> {
  /**
   * What is known of a token that has not expired. Whoever asks also checks that its key is still published.
   *
   * @param now milliseconds since the epoch
   */
  readonly find: (id: TokenId, now: number) => VerifiedToken<Caller> | undefined;
  /** Keeps a token that is valid. A refused one is never kept, so that a refusal cannot outlive its reason. */
  readonly keep: (id: TokenId, verified: VerifiedToken<Caller>) => void;
  readonly forget: (id: TokenId) => void;
}

export interface VerifiedTokensLimits {
  readonly entries: number;
  /** Sum of the lengths of all kept tokens. What is kept of a token is never larger than the token. */
  readonly bytes: number;
  /** Longest token that is kept. Ours have less than 2 KiB. */
  readonly tokenBytes: number;
}

const defaultLimits: VerifiedTokensLimits = { entries: 1_000, bytes: 1024 * 1024, tokenBytes: 4096 };

/** Keeps what is known of verified tokens. When the cache is full, the token that was unused for longest goes. */
export function createVerifiedTokens<Caller>(
  limits: VerifiedTokensLimits = defaultLimits,
): VerifiedTokens<Caller> {
  // A Map keeps its entries in the order of their insertion. A used entry is inserted again, so the first is the oldest.
  const entries = new Map<string, VerifiedToken<Caller> & { readonly bytes: number }>();
  let bytes = 0;

  function remove({ digest }: Pick<TokenId, 'digest'>): void {
    bytes -= entries.get(digest)?.bytes ?? 0;
    entries.delete(digest);
  }

  return {
    find: (id, now) => {
      const known = entries.get(id.digest);
      if (known === undefined) {
        return undefined;
      }
      if (Math.floor(now / 1000) >= known.expiresAt) {
        remove(id);
        return undefined;
      }
      entries.delete(id.digest);
      entries.set(id.digest, known);
      return known;
    },
    keep: (id, verified) => {
      if (id.bytes > limits.tokenBytes) {
        return;
      }
      remove(id);
      entries.set(id.digest, { ...verified, bytes: id.bytes });
      bytes += id.bytes;
      for (const digest of entries.keys()) {
        if (entries.size <= limits.entries && bytes <= limits.bytes) {
          break;
        }
        remove({ digest });
      }
    },
    forget: remove,
  };
}
