import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isTokenSpelling } from '../../../contract/access-token.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet, type VerificationKey } from '../../../lambdas/shared/keys/verification-keys.ts';
import {
  createVerifyAccessToken,
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

async function expectRefused(token: string): Promise<void> {
  const error = await verify(token).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
}

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

  test.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])('is accepted with typ %s', async (typ) => {
    await expect(verify(await sign(claims, { typ }))).resolves.toBeDefined();
  });

  test.each(['JWT', 'jwt', 'id+jwt', ''])('is refused with typ %j', async (typ) => {
    await expectRefused(await sign(claims, { typ }));
  });

  test('is refused at the second that it expires, and accepted one before', async () => {
    await expectRefused(await sign({ ...claims, exp: now }));
    await expect(verify(await sign({ ...claims, exp: now + 1 }))).resolves.toBeDefined();
  });

  test.each([
    ['another issuer', { iss: 'https://other.invalid' }],
    ['another audience', { aud: 'https://other.invalid' }],
    ['an issuer with a trailing slash', { iss: `${baseUrl}/` }],
    ['a start in the future', { nbf: now + 60 }],
    ['an expiry that is no number', { exp: 'never' }],
    ['a scope that is no string', { scope: ['volume:read'] }],
    ['an organisation that is no string', { organisation_id: 1 }],
  ])('with %s is refused', async (_name, change) => {
    await expectRefused(await sign({ ...claims, ...change } as JWTPayload));
  });

  test.each(['iss', 'aud', 'sub', 'client_id', 'organisation_id', 'scope', 'iat', 'exp', 'jti'])(
    'without the claim %s is refused',
    async (claim) => {
      const rest = Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim));
      await expectRefused(await sign(rest));
    },
  );

  test('alg none is refused, with and without a kid', async () => {
    for (const header of [
      { alg: 'none', typ: 'at+jwt', kid: es256.kid },
      { alg: 'none', typ: 'at+jwt' },
    ]) {
      await expectRefused(`${encode(header)}.${encode(claims)}.`);
    }
  });

  test('another alg under a published key is refused for that, before anything is verified', async () => {
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'PS256']) {
      const token = signParts(signer(es256), encode({ alg, typ: 'at+jwt', kid: es256.kid }), encode(claims));
      await expect(verify(token)).rejects.toMatchObject({ reason: 'ERR_JOSE_ALG_NOT_ALLOWED' });
    }
  });

  test('HS256 with a public key as secret is refused (algorithm confusion)', async () => {
    for (const key of [es256, rs256]) {
      const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode(claims)}`;
      const signature = createHmac('sha256', JSON.stringify(publicJwk(key)))
        .update(input)
        .digest('base64url');
      await expectRefused(`${input}.${signature}`);
    }
  });

  test('one algorithm under the kid of another is refused', async () => {
    await expectRefused(await sign(claims, { kid: rs256.kid }));
    await expectRefused(await sign(claims, { kid: es256.kid }, rs256));
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

  test.each(['../../dev/null', "' OR 1=1 --", '', '__proto__', 'constructor'])(
    'kid %j is refused',
    async (kid) => {
      await expectRefused(await sign(claims, { kid }));
    },
  );

  test.each([1, null, true, [], { toString: null }])('kid %j, which is no text, is refused', async (kid) => {
    const verify = createVerifyAccessToken({
      findKey: async (text) => {
        throw new Error(`looked for ${typeof text}`);
      },
      baseUrl,
      now: () => noon,
    });
    const token = `${encode({ alg: 'ES256', typ: 'at+jwt', kid })}.${encode(claims)}.AAAA`;
    await expect(verify(token)).rejects.toMatchObject({ status: 401 });
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

  test('changed claims under a valid signature are refused', async () => {
    const [head, , signature] = (await sign(claims)).split('.');
    await expectRefused(`${head}.${encode({ ...claims, organisation_id: 'other' })}.${signature}`);
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

  test.each([
    '',
    'AAAA.AAAA',
    'AAAA.AAAA.AAAA.AAAA',
    'A.AAAA.AAAA',
    '.AAAA.AAAA',
    'AAAA..AAAA',
    'AAAA.AAAA.',
    '=.AAAA.AAAA.AAAA',
    'AAAA.AAAA.AAAA\n',
    ' AAAA.AAAA.AAAA',
    'AAAA.AAAA.AAAé',
  ])('is not spelled as %j', (text) => {
    expect(isTokenSpelling(text)).toBe(false);
  });

  test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', '..', 'e30.e30.', 'bnVsbA.bnVsbA.bnVsbA'])(
    '%j is refused',
    async (token) => {
      await expectRefused(token);
    },
  );

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
    test.each([
      ['The token is not three parts in base64url, each in its one spelling', () => 'a.b.c'],
      ['The token is not a JWT', () => 'aaaa.aaaa.aaaa'],
      ['The token names no published key', () => sign(claims, {}, foreign)],
      ['ERR_JWT_EXPIRED', () => sign({ ...claims, exp: now })],
      ['ERR_JWT_CLAIM_VALIDATION_FAILED: aud', () => sign({ ...claims, aud: 'hush' })],
      ['ERR_JWT_CLAIM_VALIDATION_FAILED: typ', () => sign(claims, { typ: 'JWT' })],
      ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', () => sign(claims, { kid: es256.kid }, foreign)],
      ['ERR_JOSE_ALG_NOT_ALLOWED', () => sign(claims, { kid: rs256.kid })],
      ['The token lacks a claim', () => sign({ ...claims, organisation_id: 1 })],
    ])('%s', async (reason, token) => {
      await expect(verify(await token())).rejects.toMatchObject({ reason });
    });

    test('and whose it was, if it was ours and has expired: that is a reason of its own', async () => {
      await expect(verify(await sign({ ...claims, exp: now }))).rejects.toMatchObject({
        refusal: 'expired_token',
        client: { clientId: 'client-1', organisationId: 'acme' },
      });
    });

    test.each([
      ['was signed by another', () => sign({ ...claims, exp: now }, { kid: es256.kid }, foreign)],
      ['is of another deployment', () => sign({ ...claims, exp: now, aud: 'https://other.invalid' })],
      ['is not valid yet', () => sign({ ...claims, nbf: now + 60 })],
    ])('but never names the client of a token that %s', async (_, token) => {
      const error = await verify(await token()).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ refusal: 'invalid_token' });
      expect((error as ApiError).client).toBeUndefined();
    });

    test('nor the client of an expired token that names none', async () => {
      const error = await verify(await sign({ ...claims, exp: now, client_id: 1 })).catch((caught) => caught);
      expect(error).toMatchObject({ refusal: 'expired_token' });
      expect((error as ApiError).client).toBeUndefined();
    });

    test('also when the key does not fit its algorithm, which is no error of the token library', async () => {
      const findKey = await findIn(keySetOf(es256, rs256));
      const broken = createVerifyAccessToken({
        findKey: async () => {
          const found = await findKey(rs256.kid);
          return found && { ...found, alg: 'ES256' };
        },
        baseUrl,
        now: () => noon,
      });
      await expect(broken(await sign(claims))).rejects.toMatchObject({
        status: 401,
        reason: 'The token cannot be verified',
      });
    });
  });
});

describe('an access token that was verified before', () => {
  let time: Date;
  let asked: string[];
  let published: Map<string, VerificationKey>;
  let again: VerifyAccessToken;

  beforeEach(async () => {
    const { keys } = await importKeySet(keySetOf(es256, rs256));
    time = noon;
    asked = [];
    published = new Map(keys);
    again = createVerifyAccessToken({
      findKey: async (kid) => {
        asked.push(kid);
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

  test('is refused while the key set cannot be read', async () => {
    const token = await sign(claims);
    await again(token);
    const unavailable = vi.spyOn(published, 'get').mockImplementation(() => {
      throw new Error('unavailable');
    });
    await expect(again(token)).rejects.toThrow('unavailable');
    unavailable.mockRestore();
  });

  test('is refused from the second that it expires, for the same reason as any other', async () => {
    const token = await sign({ ...claims, exp: now + 10 });
    await again(token);
    time = new Date(noon.getTime() + 9_999);
    expect(await reasonOf(token)).toBe('accepted');
    time = new Date(noon.getTime() + 10_000);
    expect(await reasonOf(token)).toBe('ERR_JWT_EXPIRED');
  });

  test('and was refused is verified each time', async () => {
    const token = await sign(claims);
    const key = published.get(es256.kid);
    await spoilKey();
    expect(await reasonOf(token)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    if (key !== undefined) {
      published.set(es256.kid, key);
    }
    expect(await reasonOf(token)).toBe('accepted');
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

  test('asks for its key each time', async () => {
    const token = await sign(claims);
    await again(token);
    await again(token);
    expect(asked).toEqual([es256.kid, es256.kid]);
  });
});
