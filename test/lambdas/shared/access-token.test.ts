import fc from 'fast-check';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isTokenSpelling } from '../../../contract/access-token.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet, type VerificationKey } from '../../../lambdas/shared/keys/verification-keys.ts';
import {
  createVerifyAccessToken,
  readBearerToken,
  type VerifyAccessToken,
} from '../../../lambdas/shared/tokens/access-token.ts';
import { type PrivateJwk, publicJwk } from '../../../storage/signing-keys.ts';
import { otherSpellings, signParts } from '../../support/forged-token.ts';
import { baseUrl, findIn, keySetOf, newKey, noon } from '../../support/signing-keys.ts';

let es256: PrivateJwk;
let rs256: PrivateJwk;
let foreign: PrivateJwk;
let verify: VerifyAccessToken;

const now = Math.floor(noon.getTime() / 1000);
const claims: JWTPayload = {
  iss: baseUrl,
  aud: baseUrl,
  sub: 'client-1',
  client_id: 'client-1',
  organisation_id: 'acme',
  scope: 'volume:read sync:create',
  iat: now,
  exp: now + 3600,
  jti: 'id',
};

beforeAll(async () => {
  [es256, rs256, foreign] = await Promise.all([newKey(), newKey('RS256'), newKey()]);
  verify = createVerifyAccessToken({
    findKey: await findIn(keySetOf(es256, rs256)),
    baseUrl,
    now: () => noon,
  });
});

async function sign(
  payload: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
  key: PrivateJwk = es256,
): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(key, key.alg));
}

const signer = (jwk: PrivateJwk) => ({ jwk, kid: jwk.kid, alg: jwk.alg });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function expectRefused(token: string, what = token): Promise<void> {
  const error = await verify(token).catch((caught: unknown) => caught);
  expect(error, what).toBeInstanceOf(ApiError);
  expect(error, what).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
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
    for (const value of ['Bearer a.b.c', 'bearer a.b.c', 'BEARER a.b.c', 'Bearer   a.b.c']) {
      expect(readBearerToken(value), value).toBe('a.b.c');
    }
  });

  test('without bearer credentials gets a challenge without an error (section 3.1)', () => {
    for (const value of [undefined, '', 'Basic YTpi', 'Bearertoken', 'Basic bearer a.b.c', ' Bearer a.b.c']) {
      expect(challengeOf(value), value).toMatch(/^Bearer realm="[^"]+"$/);
    }
  });

  test('that is malformed gets invalid_token', () => {
    const malformed = [
      '',
      ' ',
      ' a b',
      ' a, Bearer a.b.c',
      ' Bearer a.b.c',
      ' a=b',
      ' a.b.c\n',
      ' "x"',
      ' ä',
      ' =a',
    ];
    for (const rest of malformed) {
      expect(challengeOf(`Bearer${rest}`), rest).toBe('Bearer error="invalid_token"');
    }
  });
});

describe('access token', () => {
  test('of ours is accepted and names the caller', async () => {
    const caller = await verify(await sign(claims));
    expect(caller).toEqual({
      clientId: 'client-1',
      organisationId: 'acme',
      scopes: new Set(['volume:read', 'sync:create']),
    });
  });

  test('is accepted under every key of the set, each with its own algorithm', async () => {
    await expect(verify(await sign(claims, {}, rs256))).resolves.toMatchObject({ clientId: 'client-1' });
  });

  test('has the type of access tokens (RFC 9068 section 4), in any case', async () => {
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) {
      await expect(verify(await sign(claims, { typ })), typ).resolves.toBeDefined();
    }
    for (const typ of ['JWT', 'jwt', 'id+jwt', '']) {
      await expectRefused(await sign(claims, { typ }), typ);
    }
  });

  test('is refused at the second that it expires, and accepted one before', async () => {
    await expectRefused(await sign({ ...claims, exp: now }));
    await expect(verify(await sign({ ...claims, exp: now + 1 }))).resolves.toBeDefined();
  });

  test('with a wrong claim, or without one, is refused', async () => {
    for (const change of [
      { iss: 'https://other.invalid' },
      { aud: 'https://other.invalid' },
      { aud: ['https://other.invalid'] },
      { iss: `${baseUrl}/` },
      { nbf: now + 60 },
      { exp: 'never' },
      { scope: ['volume:read'] },
      { organisation_id: 1 },
      ...Object.keys(claims).map((name) => ({ [name]: undefined })),
    ]) {
      await expectRefused(await sign({ ...claims, ...change } as JWTPayload), JSON.stringify(change));
    }
  });

  test('another alg under a published key is refused for that, before anything is verified', async () => {
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'PS256']) {
      const token = signParts(signer(es256), encode({ alg, typ: 'at+jwt', kid: es256.kid }), encode(claims));
      await expect(verify(token)).rejects.toMatchObject({ reason: 'ERR_JOSE_ALG_NOT_ALLOWED' });
    }
  });

  test('a foreign key under our kid, or under its own, is refused', async () => {
    await expectRefused(await sign(claims, { kid: es256.kid }, foreign));
    await expectRefused(await sign(claims, {}, foreign));
  });

  test('keys that the token brings along are not used (jwk, jku, x5u)', async () => {
    await expectRefused(await sign(claims, { jwk: publicJwk(foreign) }, foreign));
    await expectRefused(await sign(claims, { jwk: publicJwk(foreign), kid: es256.kid }, foreign));
    await expectRefused(await sign(claims, { jku: 'https://evil.invalid/jwks.json' }, foreign));
  });

  test('with a kid that is no key of ours is refused', async () => {
    for (const kid of ['../../dev/null', "' OR 1=1 --", '', '__proto__', 'constructor']) {
      await expectRefused(await sign(claims, { kid }), kid);
    }
  });

  test('with a kid that is no text is refused, without a look at the key set', async () => {
    const verify = createVerifyAccessToken({
      findKey: async (text) => {
        throw new Error(`looked for ${typeof text}`);
      },
      baseUrl,
      now: () => noon,
    });
    for (const kid of [1, null, true, [], { toString: null }]) {
      const token = `${encode({ alg: 'ES256', typ: 'at+jwt', kid })}.${encode(claims)}.AAAA`;
      await expect(verify(token)).rejects.toMatchObject({ status: 401 });
    }
  });

  test('an unknown critical header is refused (RFC 7515 section 4.1.11)', async () => {
    for (const crit of [['x'], ['b64'], ['kid'], [], null, 'x']) {
      const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: es256.kid, crit, x: 1, b64: true });
      await expectRefused(signParts(signer(es256), header, encode(claims)));
    }
  });

  test('b64 in the header is refused, whatever its value (RFC 7797 section 7)', async () => {
    for (const b64 of [true, false, null]) {
      const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: es256.kid, b64 });
      await expectRefused(signParts(signer(es256), header, encode(claims)));
    }
    const right = encode({ alg: 'ES256', typ: 'at+jwt', kid: es256.kid });
    await expect(verify(signParts(signer(es256), right, encode(claims)))).resolves.toBeDefined();
  });

  test('has one spelling: three parts in canonical base64url, of any length (docs/api.md 6.12)', () => {
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
  });

  test('of another spelling is refused', async () => {
    for (const text of [
      '',
      'AAAA.AAAA',
      'AAAA.AAAA.AAAA.AAAA',
      'A.AAAA.AAAA',
      '.AAAA.AAAA',
      '.AAAA.AAAA.AAAA',
      'AAAA..AAAA',
      'AAAA.AAAA.',
      '=.AAAA.AAAA.AAAA',
      'AAAA.AAAA.AAAA\n',
      ' AAAA.AAAA.AAAA',
      'AAAA.AAAA.AAAé',
    ]) {
      expect(isTokenSpelling(text), text).toBe(false);
      await expectRefused(text);
    }
  });

  test('that cannot be checked is no 401: the failure goes on to the endpoint', async () => {
    const broken = createVerifyAccessToken({
      findKey: async () => {
        throw new Error('Secrets Manager is down');
      },
      baseUrl,
      now: () => noon,
    });
    await expect(broken(await sign(claims))).rejects.toThrow('Secrets Manager is down');
  });

  describe('that is refused tells the operator why, and quotes nothing', () => {
    const refused: readonly (readonly [reason: string, token: () => string | Promise<string>])[] = [
      ['The token is not three parts in base64url, each in its one spelling', () => 'a.b.c'],
      ['The token is not a JWT', () => 'aaaa.aaaa.aaaa'],
      ['The token names no published key', () => sign(claims, {}, foreign)],
      ['ERR_JWT_EXPIRED', () => sign({ ...claims, exp: now })],
      ['ERR_JWT_CLAIM_VALIDATION_FAILED: aud', () => sign({ ...claims, aud: 'hush' })],
      ['ERR_JWT_CLAIM_VALIDATION_FAILED: typ', () => sign(claims, { typ: 'JWT' })],
      ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', () => sign(claims, { kid: es256.kid }, foreign)],
      ['ERR_JOSE_ALG_NOT_ALLOWED', () => sign(claims, { kid: rs256.kid })],
      ['The token lacks a claim', () => sign({ ...claims, organisation_id: 1 })],
    ];

    test('in one of a few texts', async () => {
      for (const [reason, token] of refused) {
        await expect(verify(await token()), reason).rejects.toMatchObject({ reason });
      }
    });

    test('and whose it was, if it was ours and has expired: that is a reason of its own', async () => {
      await expect(verify(await sign({ ...claims, exp: now }))).rejects.toMatchObject({
        refusal: 'expired_token',
        client: { clientId: 'client-1', organisationId: 'acme' },
      });
    });

    test('but never names the client of a token that is not ours, not valid yet, or names none', async () => {
      for (const [refusal, token] of [
        ['invalid_token', sign({ ...claims, exp: now }, { kid: es256.kid }, foreign)],
        ['invalid_token', sign({ ...claims, exp: now, aud: 'https://other.invalid' })],
        ['invalid_token', sign({ ...claims, nbf: now + 60 })],
        ['expired_token', sign({ ...claims, exp: now, client_id: 1 })],
      ] as const) {
        const error = await verify(await token).catch((caught: unknown) => caught);
        expect(error).toMatchObject({ refusal });
        expect((error as ApiError).client).toBeUndefined();
      }
    });
  });
});

describe('an access token that was verified before', () => {
  let time: Date;
  let published: Map<string, VerificationKey>;
  /** What happens while a key is looked for. */
  let load: () => void;
  let again: VerifyAccessToken;

  beforeEach(async () => {
    const { keys } = await importKeySet(keySetOf(es256, rs256));
    time = noon;
    published = new Map(keys);
    load = () => undefined;
    again = createVerifyAccessToken({
      findKey: async (kid) => {
        load();
        return published.get(kid);
      },
      baseUrl,
      now: () => time,
    });
  });

  /** No signature of the key can be verified any more. So a token that passes was not verified. */
  async function spoilKey(): Promise<void> {
    const { keys } = await importKeySet(keySetOf(foreign));
    const other = keys.get(foreign.kid);
    if (other !== undefined) {
      published.set(es256.kid, other);
    }
  }

  const reasonOf = async (token: string) =>
    again(token).then(
      () => 'accepted',
      (error: unknown) => (error instanceof ApiError ? error.reason : String(error)),
    );

  test('is not verified again, and names the same caller', async () => {
    const token = await sign(claims);
    const first = await again(token);
    await spoilKey();
    expect(await again(token)).toEqual(first);
    // Another token of the same claims is verified.
    const header = { zip: 'none' } as Partial<JWTHeaderParameters>;
    expect(await reasonOf(await sign(claims, header))).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  test('is refused as soon as its key is not published, for the same reason as any other', async () => {
    const token = await sign(claims);
    await again(token);
    const key = published.get(es256.kid);
    published.delete(es256.kid);
    expect(await reasonOf(token)).toBe('The token names no published key');
    if (key !== undefined) {
      published.set(es256.kid, key);
    }
    await expect(again(token)).resolves.toMatchObject({ clientId: 'client-1' });
  });

  test('is refused from the second that it expires, for the same reason as any other', async () => {
    const token = await sign({ ...claims, exp: now + 10 });
    await again(token);
    time = new Date(noon.getTime() + 9_999);
    expect(await reasonOf(token)).toBe('accepted');
    time = new Date(noon.getTime() + 10_000);
    expect(await reasonOf(token)).toBe('ERR_JWT_EXPIRED');
  });

  test('is refused when it expires while its request waits for the key set', async () => {
    const token = await sign({ ...claims, exp: now + 10 });
    await again(token);
    load = () => {
      time = new Date(noon.getTime() + 10_000);
    };
    expect(await reasonOf(token)).toBe('ERR_JWT_EXPIRED');
  });

  test('stands for no other token: not of another spelling, claim or signature', async () => {
    const token = await sign(claims);
    await again(token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const richer = encode({ ...claims, scope: 'volume:read sync:create admin' });
    for (const forged of [
      ...otherSpellings(signature).map((other) => `${header}.${payload}.${other}`),
      `${header}.${richer}.${signature}`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${header}.${payload}.`,
    ]) {
      expect(await reasonOf(forged)).not.toBe('accepted');
    }
  });
});
