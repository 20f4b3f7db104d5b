import * as v from 'valibot';
import { signingAlgorithms } from '../contract/access-token.ts';
import { parseStored } from './stored-data.ts';

/** Schemas of the two secrets (storage/README.md, Secrets). */

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

/** One version of the secret contains one private key: a reader of the version reads no other key. */
const signingKeySchema = v.object({
  key: privateJwkSchema,
  /** Version with the key that signs after this one. Absent in that version. */
  next: v.exactOptional(v.string()),
  /** Only in a version that a rotation made: the version that it replaces. */
  follows: v.exactOptional(v.string()),
});

const keySetSchema = v.object({
  keys: v.array(
    v.object({
      jwk: publicJwkSchema,
      state: v.picklist(['next', 'current', 'retired']),
      since: time,
      /** Of a key that signs, or signs next: the version of the secret with its private half. */
      version: v.exactOptional(v.string()),
      /** Of a `next` key: when it may sign. From this time on, every cached copy of the set contains the key. */
      usable_from: v.exactOptional(time),
      /** Of a `retired` key: when it stops being published. Absent while the key may still sign. */
      until: v.exactOptional(time),
      /** Of a key that signs or has signed: the longest lifetime of its tokens. */
      token_lifetime_seconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
  ),
});

export type PublicJwk = v.InferOutput<typeof publicJwkSchema>;
export type PrivateJwk = v.InferOutput<typeof privateJwkSchema>;
export type SigningKey = v.InferOutput<typeof signingKeySchema>;
export type KeySet = v.InferOutput<typeof keySetSchema>;
export type KeySetEntry = KeySet['keys'][number];

/** The result of a revocation. Times are ISO 8601. */
export interface Revocation {
  readonly kid: string;
  /** The key that signs from now on. */
  readonly signing_kid: string;
  readonly revoked_at: string;
  /**
   * When this service starts to reject tokens of the key. Until then, its functions may have the old key set cached.
   */
  readonly rejected_from: string;
  /** When clients that verify tokens themselves start to reject tokens of the key, if they obey Cache-Control. */
  readonly rejected_by_clients_from: string;
  /** When the last token of the key expires. */
  readonly tokens_until: string;
}

/** @throws {StoredDataError} when the secret is not as storage/README.md says; the message does not quote the secret */
export function parseSigningKey(secret: string): SigningKey {
  return parseStored('signing key', jsonOf(signingKeySchema), secret);
}

/** @throws {StoredDataError} when the secret is not as storage/README.md says */
export function parseKeySet(secret: string): KeySet {
  return parseStored('key set', jsonOf(keySetSchema), secret);
}

/** @throws {StoredDataError} when the value is not a private key of ours; the message does not quote the value */
export function readPrivateJwk(value: unknown): PrivateJwk {
  return parseStored('private key', privateJwkSchema, value);
}

/** The entries that are published at the given time (milliseconds since the epoch). */
export function publishedKeys(keySet: KeySet, now: number): readonly KeySetEntry[] {
  return keySet.keys.filter(({ until }) => until === undefined || now < Date.parse(until));
}

/**
 * The entry of the key that signs new tokens, according to the key set. A retired key still signs while its rotation is
 * not finished.
 */
export function entryThatSigns({ keys }: KeySet): KeySetEntry | undefined {
  const unfinished = keys.find(({ state, until }) => state === 'retired' && until === undefined);
  return unfinished ?? keys.find(({ state }) => state === 'current');
}

/** Staging labels of the secret with the private keys. `token` may read the version with `current`, and no other. */
export const keyStages = { current: 'AWSCURRENT', next: 'NEXT' } as const;

/** Whether a secret's KmsKeyId is this key. An alias is not: it can be pointed at another key. */
export function namesKey(kmsKeyId: string | undefined, keyArn: string): boolean {
  return kmsKeyId !== undefined && [keyArn, keyArn.replace(/^.*:key\//, '')].includes(kmsKeyId);
}

const stateOrder = { current: 0, next: 1, retired: 2 } as const;

/** Sorts entries of a key set: the current key, the next one, then retired ones. */
export function compareStates(a: Pick<KeySetEntry, 'state'>, b: Pick<KeySetEntry, 'state'>): number {
  return stateOrder[a.state] - stateOrder[b.state];
}

/** The public half of a key. Members are copied one by one, so that no private member can be published. */
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
 * Parses JSON. Malformed text gives undefined, which the schema rejects: the error of JSON.parse would quote the text.
 */
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
