import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isTokenSpelling } from '../../../contract/access-token.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import {
  createVerifyAccessToken,
  readBearerToken,
  type VerifyAccessToken,
} from '../../../lambdas/shared/tokens/access-token.ts';
import { type PrivateJwk, publicJwk } from '../../../storage/signing-keys.ts';
import {
  type Changes,
  otherSpellings,
  signParts,
  signToken,
  tokenPart,
  validClaims,
} from '../../support/forged-token.ts';
import { baseUrl, findIn, keySetOf, newKey, noon } from '../../support/signing-keys.ts';

const now = noon.getTime() / 1000;
const claims = validClaims(baseUrl, now);

let es256: PrivateJwk;
let rs256: PrivateJwk;
let foreign: PrivateJwk;
let verify: VerifyAccessToken;

beforeAll(async () => {
  [es256, rs256, foreign] = await Promise.all([newKey(), newKey('RS256'), newKey()]);
  const find = await findIn(keySetOf(es256, rs256));
  // A key id that is no text cannot be looked up.
  verify = createVerifyAccessToken({ findKey: (kid) => find(`${kid}`), baseUrl, now: () => noon });
});

const signer = (jwk: PrivateJwk) => ({ jwk, kid: jwk.kid, alg: jwk.alg });

/** A token that is right but for the changes. */
const sign = ({ header = {}, claims: changed = {} }: Changes = {}, key = es256) =>
  signToken(signer(key), baseUrl, { header, claims: { ...claims, ...changed } });

/** A token with a right signature, and a header that jose would not sign. */
const signHeader = (header: object) =>
  signParts(
    signer(es256),
    tokenPart({ alg: 'ES256', typ: 'at+jwt', kid: es256.kid, ...header }),
    tokenPart(claims),
  );

/** Why a token is refused, as the log says it. */
async function reasonOf(token: string): Promise<string> {
  const error = await verify(token).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
  return (error as ApiError).reason;
}

describe('the Authorization header (RFC 6750 section 2.1)', () => {
  function challengeOf(authorization: string | undefined): string | undefined {
    try {
      readBearerToken(authorization);
    } catch (error) {
      return error instanceof ApiError ? error.headers['www-authenticate'] : undefined;
    }
    return undefined;
  }

  test('carries a token, whatever the case of the scheme', () => {
    for (const value of ['Bearer a.b.c', 'BEARER a.b.c', 'bearer   a.b.c']) {
      expect(readBearerToken(value), value).toBe('a.b.c');
    }
  });

  test('without bearer credentials gets a challenge without an error (section 3.1)', () => {
    for (const value of [undefined, '', 'Basic YTpi', 'Bearertoken', 'Basic bearer a.b.c', ' Bearer a.b.c']) {
      expect(challengeOf(value), value).toMatch(/^Bearer realm="[^"]+"$/);
    }
  });

  test('that is malformed gets invalid_token', () => {
    for (const rest of ['', ' ', ' a b', ' a, Bearer a.b.c', ' a=b', ' a.b.c\n', ' "x"', ' ä', ' =a']) {
      expect(challengeOf(`Bearer${rest}`), rest).toBe('Bearer error="invalid_token"');
    }
  });
});

describe('an access token', () => {
  test('of ours is accepted and names the caller, under every key with its own algorithm', async () => {
    for (const key of [es256, rs256]) {
      expect(await verify(await sign({}, key))).toEqual({
        clientId: claims.client_id,
        organisationId: claims.organisation_id,
        scopes: new Set(['volume:read', 'sync:create']),
      });
    }
    await expect(verify(signHeader({}))).resolves.toBeDefined();
  });

  test('has the type of access tokens (RFC 9068 section 4), in any case', async () => {
    for (const typ of ['AT+JWT', 'application/at+jwt']) {
      await expect(verify(await sign({ header: { typ } })), typ).resolves.toBeDefined();
    }
    for (const typ of ['JWT', 'id+jwt', '']) {
      const reason = await reasonOf(await sign({ header: { typ } }));
      expect(reason, typ).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: typ');
    }
  });

  test('is refused at the second that it expires, and accepted one before', async () => {
    expect(await reasonOf(await sign({ claims: { exp: now } }))).toBe('ERR_JWT_EXPIRED');
    await expect(verify(await sign({ claims: { exp: now + 1 } }))).resolves.toBeDefined();
  });

  test('with a wrong claim, or without one, is refused', async () => {
    const other = 'https://other.invalid';
    for (const [name, values] of [
      ['iss', [other, `${baseUrl}/`, undefined]],
      ['aud', [other, [other], undefined]],
      ['nbf', [now + 60]],
      ['iat', [undefined]],
      ['exp', ['never', undefined]],
    ] as const) {
      for (const value of values) {
        const reason = await reasonOf(await sign({ claims: { [name]: value } }));
        expect(reason).toBe(`ERR_JWT_CLAIM_VALIDATION_FAILED: ${name}`);
      }
    }
    for (const name of ['sub', 'client_id', 'organisation_id', 'scope', 'jti']) {
      for (const value of [undefined, 1, ['volume:read']]) {
        const reason = await reasonOf(await sign({ claims: { [name]: value } }));
        expect(reason, name).toBe('The token lacks a claim');
      }
    }
  });

  test('with another alg than that of its key is refused for that, before anything is verified', async () => {
    for (const alg of ['none', 'HS256', 'RS256', 'ES384']) {
      expect(await reasonOf(signHeader({ alg })), alg).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    }
  });

  test('of a foreign key is refused, under its own kid or ours, also if it brings the key along', async () => {
    const unpublished = 'The token names no published key';
    const jwk = publicJwk(foreign);
    for (const header of [{}, { jwk }, { jku: 'https://evil.invalid/jwks.json' }]) {
      expect(await reasonOf(await sign({ header }, foreign))).toBe(unpublished);
    }
    for (const header of [{ kid: es256.kid }, { kid: es256.kid, jwk }]) {
      const reason = await reasonOf(await sign({ header }, foreign));
      expect(reason).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    }
    for (const kid of ['../../dev/null', '__proto__', 'constructor', '', 1, null, [], { toString: null }]) {
      expect(await reasonOf(signHeader({ kid }))).toBe(unpublished);
    }
  });

  test('with crit (RFC 7515 section 4.1.11) or b64 (RFC 7797 section 7) in its header is refused', async () => {
    for (const crit of [['x'], ['b64'], ['kid'], [], null, 'x']) {
      expect(await reasonOf(signHeader({ crit, x: 1 }))).toBe('The header of the token has crit');
    }
    for (const b64 of [true, false, null]) {
      expect(await reasonOf(signHeader({ b64 }))).toBe('The header of the token has b64');
    }
  });

  test('has one spelling: three parts in canonical base64url, of any length (docs/api.md 6.12)', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.tuple(bytes, bytes, bytes), fc.nat({ max: 2 }), (contents, changed) => {
        const parts = contents.map((content) => Buffer.from(content).toString('base64url'));
        expect(isTokenSpelling(parts.join('.'))).toBe(true);
        for (const spelling of otherSpellings(parts[changed] ?? '')) {
          expect(isTokenSpelling(parts.with(changed, spelling).join('.'))).toBe(false);
        }
      }),
    );
    const reason = 'The token is not three parts in base64url, each in its one spelling';
    const counts = ['', 'AAAA.AAAA', 'AAAA.AAAA.AAAA.AAAA', '.AAAA.AAAA.AAAA', 'AAAA..AAAA', 'AAAA.AAAA.'];
    for (const text of [...counts, 'A.AAAA.AAAA', 'AAAA.AAAA.AAAA\n', ' AAAA.AAAA.AAAA', 'AAAA.AAAA.AAAé']) {
      expect(await reasonOf(text), text).toBe(reason);
    }
    expect(await reasonOf('aaaa.aaaa.aaaa')).toBe('The token is not a JWT');
  });

  test('that cannot be checked is no 401: the failure goes on to the endpoint', async () => {
    const findKey = async () => Promise.reject(new Error('Secrets Manager is down'));
    const broken = createVerifyAccessToken({ findKey, baseUrl, now: () => noon });
    await expect(broken(await sign())).rejects.toThrow('Secrets Manager is down');
  });

  test('that was ours and has expired names its client to the operator: that is a reason of its own', async () => {
    await expect(verify(await sign({ claims: { exp: now } }))).rejects.toMatchObject({
      refusal: 'expired_token',
      client: { clientId: claims.client_id, organisationId: claims.organisation_id },
    });
  });

  test('that is not ours, not valid yet, or names no client, names none to the operator', async () => {
    for (const [refusal, token] of [
      ['invalid_token', sign({ header: { kid: es256.kid }, claims: { exp: now } }, foreign)],
      ['invalid_token', sign({ claims: { exp: now, aud: 'https://other.invalid' } })],
      ['invalid_token', sign({ claims: { nbf: now + 60 } })],
      ['expired_token', sign({ claims: { exp: now, client_id: 1 } })],
    ] as const) {
      const error = await verify(await token).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ refusal });
      expect((error as ApiError).client).toBeUndefined();
    }
  });
});
