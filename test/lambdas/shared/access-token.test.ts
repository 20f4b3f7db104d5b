import fc from 'fast-check';
import { isTokenSpelling } from '../../../contract/access-token.ts';
import type { TokenProblem } from '../../../contract/internal/metrics.ts';
import type { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { importKeySet } from '../../../lambdas/shared/keys/verification-keys.ts';
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
import { baseUrl, keySetOf, newKey, noon } from '../../support/signing-keys.ts';

const now = noon.getTime() / 1000;
const claims = validClaims(baseUrl, now);

let es256: PrivateJwk;
let rs256: PrivateJwk;
let foreign: PrivateJwk;
let verify: VerifyAccessToken;

beforeAll(async () => {
  [es256, rs256, foreign] = await Promise.all([newKey(), newKey('RS256'), newKey()]);
  const { keys } = await importKeySet(keySetOf(es256, rs256));
  // A key id that is not a string cannot be used for a search.
  verify = createVerifyAccessToken({ findKey: async (kid) => keys.get(`${kid}`), baseUrl, now: () => noon });
});

const signer = (jwk: PrivateJwk) => ({ jwk, kid: jwk.kid, alg: jwk.alg });

/** Signs a token that is valid except for the changes, one second before it expires. */
const sign = ({ header = {}, claims: changed = {} }: Changes = {}, key = es256) =>
  signToken(signer(key), baseUrl, { header, claims: { ...claims, exp: now + 1, ...changed } });

/** Signs a token correctly with a header that jose would reject. */
const signHeader = (header: object) =>
  signParts(
    signer(es256),
    tokenPart({ alg: 'ES256', typ: 'at+jwt', kid: es256.kid, ...header }),
    tokenPart(claims),
  );

/** The client receives the same response for every token. Only the log contains the reason. */
const expectRejection = async (
  token: string | Promise<string>,
  tokenProblem: TokenProblem,
  reason: string,
  claim?: string,
) =>
  expect(verify(await token)).rejects.toMatchObject({
    parts: {
      status: 401,
      body: { message: 'Unauthorized' },
      rejection: 'invalid_token',
      tokenProblem,
      reason,
      claim,
    },
  });

describe('the Authorization header (RFC 6750 section 2.1)', () => {
  const challenge = (value: unknown) =>
    expect.objectContaining({
      parts: expect.objectContaining({ status: 401, headers: { 'www-authenticate': value } }),
    });

  test.for([undefined, 'Bearertoken', 'Basic bearer a.b.c'])(
    'has no bearer credentials in %j: no error in the challenge',
    (value) => {
      const withoutError = expect.stringMatching(/^Bearer realm="[^"]+"$/);
      expect(() => readBearerToken(value)).toThrow(challenge(withoutError));
    },
  );

  test.for(['', ' a b', ' a=b', ' a.b.c\n', ' ä', ' =a'])(
    'is malformed with %j behind the scheme: invalid_token',
    (rest) => {
      expect(() => readBearerToken(`Bearer${rest}`)).toThrow(challenge('Bearer error="invalid_token"'));
    },
  );
});

describe('an access token is accepted', () => {
  test.for([
    ['ES256', () => es256],
    ['RS256', () => rs256],
  ] as const)('under a key of %s, and names the caller', async ([, key]) => {
    const claimed = { claims: { allow_from: ['203.0.113.0/24'] } };
    expect(await verify(await sign(claimed, key()))).toEqual({
      clientId: claims.client_id,
      organisationId: claims.organisation_id,
      scopes: new Set(['volume:read', 'sync:create']),
      allowFrom: ['203.0.113.0/24'],
    });
  });

  test.for(['AT+JWT', 'application/at+jwt'])('with the type %s (RFC 9068 section 4)', async (typ) => {
    expect(await verify(await sign({ header: { typ } }))).toMatchObject({ clientId: claims.client_id });
  });
});

describe('an access token is rejected', () => {
  test.for(['JWT', 'id+jwt', ''])('with the type "%s"', async (typ) => {
    await expectRejection(
      sign({ header: { typ } }),
      'wrong_claim',
      'ERR_JWT_CLAIM_VALIDATION_FAILED: typ',
      'typ',
    );
  });

  const other = 'https://other.invalid';

  test.for<readonly [name: string, value: unknown]>([
    ['iss', other],
    ['iss', `${baseUrl}/`],
    ['iss', undefined],
    ['aud', other],
    ['aud', [other]],
    ['aud', undefined],
    ['nbf', now + 60],
    ['iat', undefined],
    ['exp', 'never'],
    ['exp', undefined],
  ])('with the claim %s: %j', async ([name, value]) => {
    await expectRejection(
      sign({ claims: { [name]: value } }),
      'wrong_claim',
      `ERR_JWT_CLAIM_VALIDATION_FAILED: ${name}`,
      name,
    );
  });

  const needed = ['sub', 'client_id', 'organisation_id', 'scope', 'jti'];
  const noText = [undefined, 1, ['volume:read']];

  test.for(['203.0.113.0/24', null])('with %j for allow_from', async (allow_from) => {
    await expectRejection(sign({ claims: { allow_from } }), 'missing_claim', 'The token lacks a claim');
  });

  test.for(needed.flatMap((name) => noText.map((value) => [name, value] as const)))(
    'with the claim %s: %j',
    async ([name, value]) => {
      await expectRejection(sign({ claims: { [name]: value } }), 'missing_claim', 'The token lacks a claim');
    },
  );

  test.for(['none', 'HS256', 'RS256'])('with the alg %s under a key of ES256', async (alg) => {
    await expectRejection(signHeader({ alg }), 'unverifiable', 'ERR_JOSE_ALG_NOT_ALLOWED');
  });

  const unpublished = ['unpublished_key', 'The token names no published key'] as const;
  const wrongSignature = ['wrong_signature', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'] as const;

  test.for([
    ['its kid', unpublished, () => ({})],
    ['its kid and jwk', unpublished, () => ({ jwk: publicJwk(foreign) })],
    ['its kid and jku', unpublished, () => ({ jku: 'https://evil.invalid/jwks.json' })],
    ['our kid', wrongSignature, () => ({ kid: es256.kid })],
    ['our kid and its jwk', wrongSignature, () => ({ kid: es256.kid, jwk: publicJwk(foreign) })],
  ] as const)('under a foreign key, with %s', async ([, [problem, reason], header]) => {
    await expectRejection(sign({ header: header() }, foreign), problem, reason);
  });

  test.for(['__proto__', '', 1, null, { toString: null }])('with the kid %j', async (kid) => {
    await expectRejection(signHeader({ kid }), ...unpublished);
  });

  // RFC 7515 section 4.1.11
  test.for([['x'], [], null].map((crit) => ({ crit })))('with $crit for crit', async (header) => {
    await expectRejection(
      signHeader({ ...header, x: 1 }),
      'forbidden_header',
      'The header of the token has crit',
    );
  });

  // RFC 7797 section 7
  test.for([true, null])('with %s for b64', async (b64) => {
    await expectRejection(signHeader({ b64 }), 'forbidden_header', 'The header of the token has b64');
  });

  const counts = ['', 'AAAA.AAAA', 'AAAA.AAAA.AAAA.AAAA', 'AAAA..AAAA', 'AAAA.AAAA.'];

  test.for([...counts, 'A.AAAA.AAAA', 'AAAA.AAAA.AAAA\n', ' AAAA.AAAA.AAAA', 'AAAA.AAAA.AAAé'])(
    'as %j, which is not three parts in base64url',
    async (text) => {
      await expectRejection(
        text,
        'malformed',
        'The token is not three parts in base64url, each in its one spelling',
      );
    },
  );

  test('when its parts are no JWT', async () => {
    await expectRejection('aaaa.aaaa.aaaa', 'malformed', 'The token is not a JWT');
  });
});

test('a token has one spelling, of any length (docs/api.md 6.12)', () => {
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

test('a token that cannot be checked is a failure, not a 401', async () => {
  const findKey = async () => Promise.reject(new Error('Secrets Manager is down'));
  const broken = createVerifyAccessToken({ findKey, baseUrl, now: () => noon });
  await expect(broken(await sign())).rejects.toThrow('Secrets Manager is down');
});

describe('the log of the operator', () => {
  test('a token that was ours names its client in the second that it expires', async () => {
    await expect(verify(await sign({ claims: { exp: now } }))).rejects.toMatchObject({
      parts: {
        status: 401,
        reason: 'ERR_JWT_EXPIRED',
        rejection: 'expired_token',
        client: { clientId: claims.client_id, organisationId: claims.organisation_id },
      },
    });
  });

  test.for([
    [
      'of a foreign key',
      'invalid_token',
      () => sign({ header: { kid: es256.kid }, claims: { exp: now } }, foreign),
    ],
    [
      'for another audience',
      'invalid_token',
      () => sign({ claims: { exp: now, aud: 'https://other.invalid' } }),
    ],
    ['that is not valid yet', 'invalid_token', () => sign({ claims: { nbf: now + 60 } })],
    ['without a client', 'expired_token', () => sign({ claims: { exp: now, client_id: 1 } })],
  ] as const)('a token %s names no client', async ([, rejection, token]) => {
    const rejected = verify(await token()).catch(({ parts }: ApiError) => [parts.rejection, parts.client]);
    expect(await rejected).toEqual([rejection, undefined]);
  });
});
