import * as v from 'valibot';
import { signingAlgorithms } from '../contract/access-token.ts';
import { parseStored } from './stored-data.ts';

/** Schemas of the two secrets (docs/stored-items.md, Secrets). */

const base64url = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/));
const named = { kid: base64url, alg: v.picklist(signingAlgorithms) };
const time = v.pipe(v.string(), v.isoTimestamp());

const publicEc = { ...named, kty: v.literal('EC'), crv: v.literal('P-256'), x: base64url, y: base64url };
const publicRsa = { ...named, kty: v.literal('RSA'), n: base64url, e: base64url };

/** Strict, so that a private member cannot be published. */
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

/** Each version of the secret contains one private key, so a reader of a version reads no other key. */
const signingKeySchema = v.object({
  key: privateJwkSchema,
  /** Version of the next key. Absent in that version itself. */
  next: v.exactOptional(v.string()),
  /** Version that a rotation replaces. Absent in versions that no rotation created. */
  follows: v.exactOptional(v.string()),
});

const keySetSchema = v.object({
  keys: v.array(
    v.object({
      jwk: publicJwkSchema,
      state: v.picklist(['next', 'current', 'retired']),
      since: time,
      /** For a current or next key: the version of the secret that stores its private half. */
      version: v.exactOptional(v.string()),
      /**
       * For a `next` key: time from which it may sign. By then, every cached copy of the set contains the
       * key.
       */
      usable_from: v.exactOptional(time),
      /** For a `retired` key: time at which its publication ends. Absent while the key may still sign. */
      until: v.exactOptional(time),
      /** For a key that signs or signed: the longest lifetime of its tokens. */
      token_lifetime_seconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
  ),
});

export type PublicJwk = v.InferOutput<typeof publicJwkSchema>;
export type PrivateJwk = v.InferOutput<typeof privateJwkSchema>;
export type SigningKey = v.InferOutput<typeof signingKeySchema>;
export type KeySet = v.InferOutput<typeof keySetSchema>;
export type KeySetEntry = KeySet['keys'][number];

/**
 * @throws {StoredDataError} if the secret does not match docs/stored-items.md; the message does not quote the
 * secret
 */
export function parseSigningKey(secret: string): SigningKey {
  return parseStored('signing key', jsonOf(signingKeySchema), secret);
}

/** @throws {StoredDataError} if the secret does not match docs/stored-items.md */
export function parseKeySet(secret: string): KeySet {
  return parseStored('key set', jsonOf(keySetSchema), secret);
}

/**
 * @throws {StoredDataError} if the value is not one of our private keys; the message does not quote the value
 */
export function readPrivateJwk(value: unknown): PrivateJwk {
  return parseStored('private key', privateJwkSchema, value);
}

/** Returns the entries that are published at the given time (milliseconds since the epoch). */
export function publishedKeys(keySet: KeySet, now: number): readonly KeySetEntry[] {
  return keySet.keys.filter(({ until }) => until === undefined || now < Date.parse(until));
}

/**
 * Returns the entry of the key that signs new tokens, according to the key set. A retired key still signs
 * until its rotation is finished.
 */
export function entryThatSigns({ keys }: KeySet): KeySetEntry | undefined {
  const unfinished = keys.find(({ state, until }) => state === 'retired' && until === undefined);
  return unfinished ?? keys.find(({ state }) => state === 'current');
}

/** Staging labels of the secret with the private keys. `token` may read the version with `current`, and no other. */
export const keyStages = { current: 'AWSCURRENT', next: 'NEXT' } as const;

/**
 * True if the KmsKeyId of a secret is this key. An alias does not count: it can be pointed at another key.
 */
export function namesKey(kmsKeyId: string | undefined, keyArn: string): boolean {
  return kmsKeyId !== undefined && [keyArn, keyArn.replace(/^.*:key\//, '')].includes(kmsKeyId);
}

const stateOrder = { current: 0, next: 1, retired: 2 } as const;

/** Sorts entries of a key set: the current key, the next key, then retired keys. */
export function compareStates(a: Pick<KeySetEntry, 'state'>, b: Pick<KeySetEntry, 'state'>): number {
  return stateOrder[a.state] - stateOrder[b.state];
}

/**
 * Returns the public half of a key. Copies members one by one, so that no private member can be published.
 */
export function publicJwk(key: PrivateJwk): PublicJwk {
  const { kid, alg } = key;
  return key.kty === 'EC'
    ? { kty: 'EC', crv: key.crv, x: key.x, y: key.y, kid, alg, use: 'sig' }
    : { kty: 'RSA', n: key.n, e: key.e, kid, alg, use: 'sig' };
}

function jsonOf<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.string(), v.transform(jsonValue), schema);
}

/**
 * Parses JSON. Returns undefined for malformed text, and the schema then rejects it. The error of JSON.parse
 * would quote the text.
 */
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
