import { decodeJwt } from 'jose';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { getKeySet } from '../../../tools/operator/signing-keys.ts';
import { keyIdOf } from './key-set-copy.ts';

/**
 * A function serves a key set from memory for up to five minutes, and whoever fetched it keeps it for five more
 * (docs/resource-servers.md, The key set). Written out here, so that a changed constant of the service is seen.
 */
const heldMilliseconds = 10 * 60 * 1000;

/** When each key was published, as far as the operator's tools can tell. */
export class PublishedKeys {
  readonly #deployment: Deployment;
  /** Earliest time at which a token of the key verifies everywhere, by key id: milliseconds since the epoch. */
  readonly #usableFrom = new Map<string, number>();
  /** Keys that were published after the first look. */
  count = 0;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** The keys of a new deployment: nobody held a key set before them. */
  async readFirst(): Promise<void> {
    for (const kid of await this.#kids()) {
      this.#usableFrom.set(kid, Number.NEGATIVE_INFINITY);
    }
  }

  /** @param publishedAt milliseconds since the epoch: keys that are new were not published before */
  async read(publishedAt: number = Date.now()): Promise<void> {
    for (const kid of await this.#kids()) {
      if (!this.#usableFrom.has(kid)) {
        this.#usableFrom.set(kid, publishedAt + heldMilliseconds);
        this.count += 1;
      }
    }
  }

  /** Whether somebody may still hold a key set without the key of this token when it was issued. */
  isTooSoon(token: string): boolean {
    const issuedAt = (decodeJwt(token).iat ?? 0) * 1000;
    const usableFrom = this.#usableFrom.get(keyIdOf(token)) ?? Number.POSITIVE_INFINITY;
    // The time of issue is in whole seconds, rounded down.
    return issuedAt + 1000 <= usableFrom;
  }

  async #kids(): Promise<readonly string[]> {
    const { keys } = await getKeySet(this.#deployment);
    return keys.map(({ jwk }) => jwk.kid);
  }
}
