/** What is cached of a token that was verified. */
export interface VerifiedToken<Caller> {
  /** The key that signed it. The token counts only while this key is published. */
  readonly kid: string;
  /** Its `exp` claim, in seconds since the epoch: from then on it is rejected. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

/** Tokens that this function has verified, so that a token need not be verified again until it expires. */
export interface VerifiedTokens<Caller> {
  /**
   * What is known of a token that has not expired. The caller must check that the key of the token is still published.
   *
   * @param now milliseconds since the epoch
   */
  readonly find: (token: string, now: number) => VerifiedToken<Caller> | undefined;
  /** Caches a token that is valid. A rejected token is never cached, so that a rejection cannot outlive its reason. */
  readonly add: (token: string, verified: VerifiedToken<Caller>) => void;
  readonly forget: (token: string) => void;
}

export interface VerifiedTokensLimits {
  readonly entries: number;
  /** Sum of the lengths of all cached tokens. What is cached besides a token is never larger than the token. */
  readonly bytes: number;
  /** Longest token that is cached. Our tokens have less than 2 KiB. */
  readonly tokenBytes: number;
}

const defaultLimits: VerifiedTokensLimits = { entries: 1_000, bytes: 1024 * 1024, tokenBytes: 4096 };

/**
 * Caches verified tokens in two halves. A full half becomes the old one, and the old one is dropped. So the tokens that
 * were used last stay cached, and nothing is searched or counted to make room.
 *
 * A Map finds a text by its hash, with a seed that differs in each process, and only then compares the text. So the
 * time of a lookup tells nothing about another client's token.
 */
export function createVerifiedTokens<Caller>(
  limits: VerifiedTokensLimits = defaultLimits,
): VerifiedTokens<Caller> {
  let recent = new Map<string, VerifiedToken<Caller>>();
  let old = new Map<string, VerifiedToken<Caller>>();
  /** Sum of the lengths that were put into the recent half. */
  let recentBytes = 0;

  function forget(token: string): void {
    recent.delete(token);
    old.delete(token);
  }

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
