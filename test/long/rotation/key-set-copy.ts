import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';

/**
 * The key set as a client holds it that takes Cache-Control at its word (RFC 9111 section 5.2.2.1): for the whole
 * max-age, counted from when the answer was complete, and without asking sooner for a key that it does not know.
 */
export class KeySetCopy {
  readonly #baseUrl: string;
  readonly #fetchFrom: number;
  #held: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly staleAt: number } | undefined;
  fetches = 0;

  /** @param fetchFrom milliseconds since the epoch: copies of different age are worth more than many of one */
  constructor(baseUrl: string, fetchFrom: number) {
    this.#baseUrl = baseUrl;
    this.#fetchFrom = fetchFrom;
  }

  /** Whether a token verifies; undefined while this copy has not begun. */
  async verifies(token: string): Promise<boolean | undefined> {
    if (Date.now() < this.#fetchFrom) return undefined;
    const find = await this.#find();
    try {
      const expected = { issuer: this.#baseUrl, audience: this.#baseUrl, typ: 'at+jwt' };
      await jwtVerify(token, find, expected);
      return true;
    } catch {
      return false;
    }
  }

  async #find(): Promise<ReturnType<typeof createLocalJWKSet>> {
    if (this.#held === undefined || Date.now() >= this.#held.staleAt) {
      const response = await fetch(`${this.#baseUrl}/.well-known/jwks.json`);
      const maxAge = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1];
      if (response.status !== 200 || maxAge === undefined)
        throw new Error(`The key set answers ${response.status} without a max-age`);
      const find = createLocalJWKSet((await response.json()) as JSONWebKeySet);
      this.#held = { find, staleAt: Date.now() + Number(maxAge) * 1000 };
      this.fetches += 1;
    }
    return this.#held.find;
  }
}

export function keyIdOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? '';
}
