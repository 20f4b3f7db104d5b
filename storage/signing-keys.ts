import * as v from 'valibot';
import { signingAlgorithms } from '../contract/access-token.ts';
import { parseStored } from './stored-data.ts';

/** What the two secrets hold: docs/storage.md, Secrets. */

const base64url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/));
const named = { kid: base64url, alg: v.picklist(signingAlgorithms) };
const time = v.pipe(v.string(), v.isoTimestamp());

const publicEc = { ...named, kty: v.literal('EC'), crv: v.literal('P-256'), x: base64url, y: base64url };
const publicRsa = { ...named, kty: v.literal('RSA'), n: base64url, e: base64url };

/** Strict, so that a private member can never be published. */
const publicJwkSchema = v.variant('kty', [
  v.strictObject({ ...publicEc, use: v.literal('sig') }),
  v.strictObject({ ...publicRsa, use: v.literal('sig') }),
]);

const privateJwkSchema = v.variant('kty', [
  v.object({ ...publicEc, d: base64url }),
  v.object({
    ...publicRsa,
    d: base64url,
    p: base64url,
    q: base64url,
    dp: base64url,
    dq: base64url,
    qi: base64url,
  }),
]);

const signingKeysSchema = v.object({
  current: privateJwkSchema,
  next: privateJwkSchema,
  /** From when `current` signs; until then `previous` does. Both are absent when `current` may sign already. */
  signs_from: v.exactOptional(time),
  previous: v.exactOptional(privateJwkSchema),
  /** Of keys that a rotation made: version of the keys that it made them from. */
  follows: v.exactOptional(v.string()),
});

const keySetSchema = v.object({
  keys: v.array(
    v.object({
      jwk: publicJwkSchema,
      state: v.picklist(['next', 'current', 'retired']),
      since: time,
      /** Of a `next` key: from when it may sign, because by then no cached copy of the set lacks it. */
      usable_from: v.exactOptional(time),
      /** Of a `retired` key: until when it is published. Absent while the key may still sign. */
      until: v.exactOptional(time),
      /** Of a key that signs or signed: how long the longest-lived of its tokens lives. */
      token_lifetime_seconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
  ),
});

export type PublicJwk = v.InferOutput<typeof publicJwkSchema>;
export type PrivateJwk = v.InferOutput<typeof privateJwkSchema>;
export type SigningKeys = v.InferOutput<typeof signingKeysSchema>;
export type KeySet = v.InferOutput<typeof keySetSchema>;
export type KeySetEntry = KeySet['keys'][number];

/** What became of a revoked key. Times are ISO 8601. */
export interface Revocation {
  readonly kid: string;
  /** The key that signs from now on. */
  readonly signing_kid: string;
  readonly revoked_at: string;
  /** From when the service itself takes no token of the key any more: its functions cache the key set. */
  readonly rejected_from: string;
  /** From when clients that verify tokens themselves take none, if they heed Cache-Control. */
  readonly rejected_by_clients_from: string;
  /** When the last token that the key signed would have expired; every one before that is dead already. */
  readonly tokens_until: string;
}

/** @throws {StoredDataError} when the secret is not as docs/storage.md says; nothing of it is in the message */
export function parseSigningKeys(secret: string): SigningKeys {
  return parseStored('secret with the signing keys', jsonOf(signingKeysSchema), secret);
}

/** @throws {StoredDataError} when the secret is not as docs/storage.md says */
export function parseKeySet(secret: string): KeySet {
  return parseStored('key set', jsonOf(keySetSchema), secret);
}

/** @throws {StoredDataError} when the value is not a private key of ours; nothing of it is in the message */
export function readPrivateJwk(value: unknown): PrivateJwk {
  return parseStored('private key', privateJwkSchema, value);
}

/** The entries that are published at a time (milliseconds since the epoch). */
export function publishedKeys(keySet: KeySet, now: number): readonly KeySetEntry[] {
  return keySet.keys.filter(({ until }) => until === undefined || now < Date.parse(until));
}

/** The key that signs new tokens at a time (milliseconds since the epoch). */
export function keySigningAt(keys: SigningKeys, now: number): PrivateJwk {
  const { current, previous, signs_from } = keys;
  const waits = previous !== undefined && signs_from !== undefined && now < Date.parse(signs_from);
  return waits ? previous : current;
}

/**
 * The published entry of the key that signs new tokens, as far as the key set alone tells. A retired key goes on
 * signing until its successor is known everywhere, or until its rotation is finished.
 */
export function entrySigningAt(keySet: KeySet, now: number): KeySetEntry | undefined {
  const entries = publishedKeys(keySet, now);
  const goesOn = ({ state, since, until }: KeySetEntry) =>
    state === 'retired' && (until === undefined || now < Date.parse(since));
  return entries.find(goesOn) ?? entries.find(({ state }) => state === 'current');
}

const stateOrder = { current: 0, next: 1, retired: 2 } as const;

/** Orders entries of a key set: the current key, the next one, then retired ones. */
export function compareStates(a: Pick<KeySetEntry, 'state'>, b: Pick<KeySetEntry, 'state'>): number {
  return stateOrder[a.state] - stateOrder[b.state];
}

/** The public half, member by member, so that nothing else can slip through. */
export function publicJwk(key: PrivateJwk): PublicJwk {
  const { kid, alg } = key;
  return key.kty === 'EC'
    ? { kty: 'EC', crv: key.crv, x: key.x, y: key.y, kid, alg, use: 'sig' }
    : { kty: 'RSA', n: key.n, e: key.e, kid, alg, use: 'sig' };
}

function jsonOf<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.string(), v.rawTransform(jsonValue), schema);
}

function jsonValue({ dataset, addIssue, NEVER }: v.RawTransformContext<string>): unknown {
  try {
    return JSON.parse(dataset.value);
  } catch {
    // The parser's own message quotes the text.
    addIssue({ message: 'Not JSON' });
    return NEVER;
  }
}
