import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Cache, createCache } from '../../../../lambdas/shared/keys/cache.ts';
import {
  createFindKey,
  type FindKey,
  type ImportedKeySet,
  importKeySet,
} from '../../../../lambdas/shared/keys/verification-keys.ts';
import { createVerifyAccessToken } from '../../../../lambdas/shared/tokens/access-token.ts';
import { ensureKeys } from '../../../../lambdas/signing-keys/ensure-keys.ts';
import { propagationSeconds } from '../../../../lambdas/signing-keys/key-set-plan.ts';
import { revokeKey } from '../../../../lambdas/signing-keys/revoke.ts';
import { rotate, rotationSteps } from '../../../../lambdas/signing-keys/rotate.ts';
import { issueAccessToken } from '../../../../lambdas/token/issue-access-token.ts';
import { importSigningKeys, type SignTokenAt } from '../../../../lambdas/token/signing-key.ts';
import { openapiDocument } from '../../../../lambdas/well-known/openapi/document.ts';
import { createWellKnownHandler } from '../../../../lambdas/well-known/well-known-endpoint.ts';
import { parseKeySet, parseSigningKeys, publishedKeys } from '../../../../storage/signing-keys.ts';
import { bodyOf, header, httpEvent } from '../../../support/http-event.ts';
import { baseUrl, newKey, noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';
import { FakeKeyStore } from '../fake-store.ts';

const lifetimeSeconds = 3600;

/** Warm environments of each function. */
const environments = 2;

/** Clients that verify tokens. They fetch the key set at different times, so from environments of different age. */
const clients = 5;

interface ClientCopy {
  readonly kids: ReadonlySet<string>;
  readonly verify: ReturnType<typeof createLocalJWKSet>;
  readonly staleAt: number;
}

/**
 * The functions' own code on one passed-in clock, several warm environments of each, around two secrets in memory.
 * Checks at every moment that whoever may verify a token can: each environment of the API, and each client that
 * holds the key set for as long as Cache-Control allows and never asks sooner.
 */
export class World {
  readonly #store = new FakeKeyStore();
  readonly #log = recordingLog().log;
  #time = noon.getTime();
  #rotations = 0;
  #unfinished: string | undefined;
  /** When the last token of each key expires, in milliseconds since the epoch. */
  readonly #expiryByKid = new Map<string, number>();
  readonly #signers: readonly Cache<SignTokenAt>[];
  readonly #verifiers: readonly Cache<ImportedKeySet>[];
  readonly #findKeys: readonly FindKey[];
  readonly #documents: readonly Cache<ReturnType<typeof parseKeySet>>[];
  readonly #wellKnown: readonly ReturnType<typeof createWellKnownHandler>[];
  readonly #clients: (ClientCopy | undefined)[] = Array.from({ length: clients });
  /** What happened, for the counts. */
  readonly counts = { tokens: 0, rotations: 0, checks: 0, revocations: 0 };
  readonly #revoked = new Set<string>();

  constructor() {
    this.#signers = this.#environments(async () =>
      importSigningKeys(parseSigningKeys(await this.#signingKey())),
    );
    this.#verifiers = this.#environments(async () => importKeySet(parseKeySet(await this.#keySet())));
    this.#findKeys = this.#verifiers.map((cache) => createFindKey(cache, this.#now));
    this.#documents = this.#environments(async () => parseKeySet(await this.#keySet()));
    this.#wellKnown = this.#documents.map((cache) =>
      createWellKnownHandler({
        baseUrl,
        description: openapiDocument(),
        keySet: cache.get,
        now: this.#now,
        log: this.#log,
      }),
    );
  }

  async deploy(): Promise<void> {
    await ensureKeys(this.#keyDependencies());
    // Environments start, and so refresh, at different times.
    for (const cache of this.#caches()) {
      await cache.get();
      this.#time += 37_000;
    }
  }

  /** Lets time go by, and looks at every token that is still valid. */
  async pass(seconds: number): Promise<void> {
    const end = this.#time + seconds * 1000;
    // The moment before a token expires is the one at which its key is missed soonest.
    const lastMoments = [...this.#expiryByKid.values()].map((expiry) => expiry - 1);
    const moments = lastMoments.filter((moment) => this.#time < moment && moment < end);
    for (const moment of [...moments.sort((a, b) => a - b), end]) {
      this.#time = moment;
      await this.checkValidTokens();
    }
  }

  /** Issues a token and verifies it everywhere. */
  async issue(environment: number): Promise<void> {
    const signers = at(this.#signers, environment);
    const answer = await issueAccessToken(
      { clientId: 'client', organisationId: 'acme', scopes: ['volume:read'] },
      ['volume:read'],
      { signingKeys: signers.get, baseUrl, lifetimeSeconds, now: this.#now, newTokenId: () => 'token' },
    );
    this.counts.tokens += 1;
    const token = answer.access_token;
    const currentDate = new Date(this.#time);
    const verify = createVerifyAccessToken({
      findKey: at(this.#findKeys, environment),
      baseUrl,
      now: () => currentDate,
    });
    await verify(token);
    const client = await this.#clientCopy(environment % clients);
    const { protectedHeader } = await jwtVerify(token, client.verify, { currentDate, issuer: baseUrl });
    this.#expiryByKid.set(protectedHeader.kid ?? '', this.#time + lifetimeSeconds * 1000);
    await this.checkValidTokens();
  }

  /**
   * Begins a rotation, or goes on with the one that is not finished.
   *
   * @param writes after so many the function dies
   */
  async rotate(writes = Number.POSITIVE_INFINITY): Promise<void> {
    this.#unfinished ??= `rotation-${this.#rotations++}`;
    this.#store.begin(this.#unfinished);
    this.#store.writesLeft = writes;
    try {
      for (const step of rotationSteps) {
        await rotate(step, this.#unfinished, this.#keyDependencies());
      }
      this.#unfinished = undefined;
      this.counts.rotations += 1;
    } catch (error) {
      // Anything but its death is a fault of the code.
      if ((error as Error).message !== 'crash') {
        throw error;
      }
    } finally {
      this.#store.writesLeft = Number.POSITIVE_INFINITY;
    }
    await this.checkValidTokens();
  }

  /**
   * Revokes a key, dying on the way, and again until it is done. Then tokens of the key that signs in its place may
   * fail for as long as somebody has an older key set: the price of an emergency, and no more than that.
   *
   * @param place which of the published keys
   */
  async revoke(place: number, writes: number): Promise<void> {
    const published = publishedKeys(this.#store.keySet ?? { keys: [] }, this.#time);
    const { kid } = at(published, place).jwk;
    this.#store.writesLeft = writes;
    await revokeKey(kid, this.#keyDependencies()).catch((error: Error) => {
      if (error.message !== 'crash') {
        throw error;
      }
    });
    this.#store.writesLeft = Number.POSITIVE_INFINITY;
    await revokeKey(kid, this.#keyDependencies()).catch((error: Error) => {
      // It had died after its last write.
      if (!error.message.startsWith('There is no signing key')) {
        throw error;
      }
    });
    // A rotation that was under way is given up.
    this.#unfinished = undefined;
    this.#revoked.add(kid);
    this.#expiryByKid.delete(kid);
    this.counts.revocations += 1;
    this.#time += propagationSeconds * 1000;
    for (const cache of this.#caches()) {
      await cache.get();
    }
    await this.checkValidTokens();
  }

  /** @throws {Error} when some token that has not expired would not be accepted */
  async checkValidTokens(): Promise<void> {
    const kids = this.#store.keySet?.keys.map(({ jwk }) => jwk.kid) ?? [];
    if (kids.some((kid) => this.#revoked.has(kid))) {
      throw new Error('A revoked key is published');
    }
    const valid = [...this.#expiryByKid].filter(([, expiry]) => this.#time < expiry).map(([kid]) => kid);
    for (const place of this.#clients.keys()) {
      const { kids } = await this.#clientCopy(place);
      this.counts.checks += valid.length;
      if (!valid.every((kid) => kids.has(kid))) {
        throw new Error('A client lacks a key that signed');
      }
    }
    for (const findKey of this.#findKeys) {
      const found = await Promise.all(valid.map(findKey));
      this.counts.checks += valid.length;
      if (found.includes(undefined)) {
        throw new Error('An environment lacks a key that signed');
      }
    }
  }

  async #clientCopy(place: number): Promise<ClientCopy> {
    const held = this.#clients[place];
    if (held !== undefined && this.#time < held.staleAt) {
      return held;
    }
    const event = httpEvent({ routeKey: 'GET /.well-known/jwks.json' });
    // Each copy gets its set from another environment each time.
    const answer = await at(this.#wellKnown, place + Math.floor(this.#time / 1000))(event);
    const maxAge = Number(/max-age=(\d+)/.exec(header(answer, 'cache-control') ?? '')?.[1]);
    const set = bodyOf(answer) as unknown as JSONWebKeySet;
    const copy = {
      kids: new Set(set.keys.map(({ kid = '' }) => kid)),
      verify: createLocalJWKSet(set),
      staleAt: this.#time + maxAge * 1000,
    };
    this.#clients[place] = copy;
    return copy;
  }

  readonly #now = () => this.#time;

  #caches(): readonly { readonly get: () => Promise<unknown> }[] {
    return [...this.#documents, ...this.#verifiers, ...this.#signers];
  }

  #environments<Value>(load: () => Promise<Value>): readonly Cache<Value>[] {
    const onRefreshFailed = (error: unknown) => {
      throw error;
    };
    return Array.from({ length: environments }, () => createCache({ load, now: this.#now, onRefreshFailed }));
  }

  async #signingKey(): Promise<string> {
    return JSON.stringify((await this.#store.readCurrent())?.value);
  }

  async #keySet(): Promise<string> {
    return JSON.stringify((await this.#store.readKeySet())?.value);
  }

  #keyDependencies() {
    return {
      store: this.#store,
      generateKey: () => newKey(),
      tokenLifetimeSeconds: lifetimeSeconds,
      now: () => new Date(this.#time),
      log: this.#log,
    };
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) {
    throw new RangeError('empty');
  }
  return item;
}
