import type { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet, type VerificationKey } from '../../../lambdas/shared/keys/verification-keys.ts';
import {
  createVerifyAccessToken,
  type VerifyAccessToken,
} from '../../../lambdas/shared/tokens/access-token.ts';
import type { PrivateJwk } from '../../../storage/signing-keys.ts';
import { signToken, validClaims } from '../../support/forged-token.ts';
import { baseUrl, keySetOf, newKey, noon } from '../../support/signing-keys.ts';

/**
 * A function verifies the signature of an access token only once, but checks its validity on each request.
 */

const now = noon.getTime() / 1000;
const claims = { ...validClaims(baseUrl, now), exp: now + 10 };

let key: PrivateJwk;
let token: string;
let published: Map<string, VerificationKey>;
let time: number;
/** Called while a key is loaded. */
let load: () => void;
let verify: VerifyAccessToken;

const sign = (header = {}) =>
  signToken({ jwk: key, kid: key.kid, alg: key.alg }, baseUrl, { header, claims });

const outcomeOf = async (text: string) =>
  verify(text).then(
    () => 'accepted',
    (error: ApiError) => error.parts.reason,
  );

beforeAll(async () => {
  key = await newKey();
  token = await sign();
});

beforeEach(async () => {
  published = new Map((await importKeySet(keySetOf(key))).keys);
  time = noon.getTime();
  load = () => undefined;
  verify = createVerifyAccessToken({
    findKey: async (kid) => {
      load();
      return published.get(kid);
    },
    baseUrl,
    now: () => new Date(time),
  });
  await verify(token);
});

test('it is not verified again, and names the same caller', async () => {
  const first = await verify(token);
  // From now on, no signature of the key can be verified. An accepted token was therefore not verified again.
  const foreign = await newKey();
  const other = (await importKeySet(keySetOf(foreign))).keys.get(foreign.kid);
  published.set(key.kid, other ?? expect.fail('no key'));
  expect(await verify(token)).toEqual(first);
  // Another token of the same claims is verified.
  expect(await outcomeOf(await sign({ zip: 'none' }))).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
});

test('it is rejected as soon as its key is not published', async () => {
  published.clear();
  expect(await outcomeOf(token)).toBe('The token names no published key');
});

test('it is rejected when it expires while its request waits for the key set', async () => {
  load = () => {
    time = noon.getTime() + 10_000;
  };
  expect(await outcomeOf(token)).toBe('ERR_JWT_EXPIRED');
});

test('it stands for no token with another signature', async () => {
  const signed = token.slice(0, token.lastIndexOf('.') + 1);
  expect(await outcomeOf(signed + 'A'.repeat(86))).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
});
