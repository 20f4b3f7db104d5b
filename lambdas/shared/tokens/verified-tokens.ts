/** Cached result of the verification of a token. */
interface VerifiedToken<Caller> {
  /** Key that signed the token. The token is valid only while this key is published. */
  readonly kid: string;
  /** The `exp` claim, in seconds since the epoch: from then on the token is rejected. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

interface VerifiedTokensLimits {
  readonly entries: number;
  /** Maximum total length of all cached tokens. The cached data of a token is never larger than the token. */
  readonly bytes: number;
  /** Longest token that is cached. Our tokens are shorter than 2 KiB. */
  readonly tokenBytes: number;
}

const defaultLimits: VerifiedTokensLimits = { entries: 1_000, bytes: 1024 * 1024, tokenBytes: 4096 };

/** Cache of verified tokens, so that a token is verified once until it expires. */
export type VerifiedTokens<Caller> = ReturnType<typeof createVerifiedTokens<Caller>>;

/**
 * Creates a cache of verified tokens in two halves. A full half replaces the older one, which is dropped. So
 * the most recently used tokens stay cached, without a search or a count to free space.
 *
 * A Map finds a text by its hash, with a seed that differs in each process, and only then compares the text.
 * So the time of a lookup reveals no token of another client.
 */
export function createVerifiedTokens<Caller>(limits: VerifiedTokensLimits = defaultLimits) {
  let recent = new Map<string, VerifiedToken<Caller>>();
  let old = new Map<string, VerifiedToken<Caller>>();
  /** Total length of the tokens in the recent half. */
  let recentBytes = 0;

  function forget(token: string): void {
    recent.delete(token);
    old.delete(token);
  }

  /**
   * Caches a valid token. A rejected token is never cached, so that a rejection cannot outlive its reason.
   */
  function add(token: string, verified: VerifiedToken<Caller>): void {
    // A valid token is ASCII (RFC 7515 section 7.1), so its length is its size.
    if (token.length > limits.tokenBytes) {
      return;
    }
    if (recent.size >= limits.entries / 2 || recentBytes + token.length > limits.bytes / 2) {
      old = recent;
      recent = new Map();
      recentBytes = 0;
    }
    recent.set(token, verified);
    recentBytes += token.length;
  }

  /**
   * Returns the cached result for a token that is not expired. The caller must check that the key of the
   * token is still published.
   *
   * @param now milliseconds since the epoch
   */
  function find(token: string, now: number): VerifiedToken<Caller> | undefined {
    const known = recent.get(token) ?? old.get(token);
    if (known === undefined) {
      return undefined;
    }
    if (Math.floor(now / 1000) >= known.expiresAt) {
      forget(token);
      return undefined;
    }
    if (!recent.has(token)) {
      old.delete(token);
      add(token, known);
    }
    return known;
  }

  return { find, add, forget };
}
