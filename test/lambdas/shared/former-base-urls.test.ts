import { type JWTPayload, SignJWT } from 'jose';
import { importJWK } from 'jose/key/import';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatFormerBaseUrls, parseFormerBaseUrls, parseTime } from '../../../contract/former-base-urls.ts';
import { createVerifyAccessToken, type VerifyAccessToken } from '../../../lambdas/shared/access-token.ts';
import type { FindKey } from '../../../lambdas/shared/verification-keys.ts';
import type { PrivateJwk } from '../../../storage/signing-keys.ts';
import { baseUrl, findIn, keySetOf, newKey, noon } from '../../support/signing-keys.ts';

const former = 'https://old.test.invalid';
const ended = 'https://older.test.invalid';
const untilSeconds = noon.getTime() / 1000 + 600;

let key: PrivateJwk;
let foreign: PrivateJwk;
let findKey: FindKey;
let verify: VerifyAccessToken;
let now: Date;

beforeAll(async () => {
  [key, foreign] = await Promise.all([newKey(), newKey()]);
  findKey = await findIn(keySetOf(key));
});

beforeEach(() => {
  now = noon;
  verify = createVerifyAccessToken({
    findKey,
    baseUrl,
    formerBaseUrls: [
      { baseUrl: former, acceptedUntil: untilSeconds * 1000 },
      { baseUrl: ended, acceptedUntil: noon.getTime() },
    ],
    now: () => now,
  });
});

async function sign(claims: JWTPayload, signer: PrivateJwk = key): Promise<string> {
  const iat = noon.getTime() / 1000;
  const payload = {
    sub: 'client-1',
    client_id: 'client-1',
    organisation_id: 'acme',
    scope: 'volume:read',
    iat,
    exp: iat + 3600,
    jti: 'id',
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
    .sign(await importJWK(signer, 'ES256'));
}

const from = (url: string) => sign({ iss: url, aud: url });

const at = (seconds: number, milliseconds = 0) => new Date(seconds * 1000 + milliseconds);

describe('a token of a former base URL', () => {
  test('is accepted until its time, beside tokens of the base URL of today', async () => {
    const caller = { clientId: 'client-1', organisationId: 'acme', scopes: new Set(['volume:read']) };
    await expect(verify(await from(former))).resolves.toEqual(caller);
    await expect(verify(await from(baseUrl))).resolves.toEqual(caller);
  });

  test('is accepted in the last millisecond and refused in the next', async () => {
    const token = await from(former);
    now = at(untilSeconds, -1);
    await expect(verify(token)).resolves.toBeDefined();
    now = at(untilSeconds);
    await expect(verify(await from(former))).rejects.toMatchObject({
      status: 401,
      body: { message: 'Unauthorized' },
      reason: 'The issuer is a former base URL, which was accepted until 2026-01-31T09:10:00Z',
    });
  });

  test('is refused after its time although it was verified before', async () => {
    const token = await from(former);
    await verify(token);
    await verify(token);
    now = at(untilSeconds);
    await expect(verify(token)).rejects.toMatchObject({ status: 401 });
  });

  test('is refused when it expires, if that is sooner', async () => {
    const exp = untilSeconds - 60;
    const token = await sign({ iss: former, aud: former, exp });
    now = at(exp, -1);
    await expect(verify(token)).resolves.toBeDefined();
    now = at(exp);
    await expect(verify(token)).rejects.toMatchObject({ reason: 'ERR_JWT_EXPIRED' });
  });

  test('is refused when its time was over before', async () => {
    await expect(verify(await from(ended))).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    ['the former issuer and the audience of today', former, baseUrl, 'aud'],
    ['the issuer of today and the former audience', baseUrl, former, 'aud'],
    ['the former issuer and another former audience', former, ended, 'aud'],
    ['an unlisted issuer and the former audience', 'https://other.test.invalid', former, 'iss'],
    ['the former issuer in capital letters', former.toUpperCase(), former, 'iss'],
    ['the former issuer with a slash', `${former}/`, former, 'iss'],
  ])('is refused with %s', async (_, iss, aud, claim) => {
    await expect(verify(await sign({ iss, aud }))).rejects.toMatchObject({
      status: 401,
      reason: expect.stringMatching(new RegExp(`: ${claim}$`)),
    });
  });

  test('is refused with the signature of another key', async () => {
    const token = await sign({ iss: former, aud: former }, foreign);
    await expect(verify(token)).rejects.toMatchObject({ reason: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
  });

  test('is refused where no former base URL is listed', async () => {
    const alone = createVerifyAccessToken({ findKey, baseUrl, now: () => now });
    await expect(alone(await from(former))).rejects.toMatchObject({ status: 401 });
  });
});

describe('the list that the functions get', () => {
  const text =
    'https://a.example.com until 2027-01-31T00:00:00Z,http://127.0.0.1:3000 until 2027-02-28T23:59:59Z';

  test('is read as it was written', () => {
    const list = parseFormerBaseUrls(text);
    expect(list).toEqual([
      { baseUrl: 'https://a.example.com', acceptedUntil: Date.UTC(2027, 0, 31) },
      { baseUrl: 'http://127.0.0.1:3000', acceptedUntil: Date.UTC(2027, 1, 28, 23, 59, 59) },
    ]);
    expect(formatFormerBaseUrls(list)).toBe(text);
  });

  test('is empty when nothing was given', () => {
    expect(parseFormerBaseUrls(undefined)).toEqual([]);
  });

  test.each([
    '',
    'https://a.example.com',
    'https://a.example.com until tomorrow',
    ' until 2027-01-31T00:00:00Z',
    `${text},`,
  ])('stops the start of a function when it is %j', (wrong) => {
    expect(() => parseFormerBaseUrls(wrong)).toThrow('URL until TIME');
  });

  test.each([
    '2027-01-31',
    '2027-01-31T00:00Z',
    '2027-01-31T00:00:00',
    '2027-01-31T00:00:00+01:00',
    '2027-01-31T00:00:00.000Z',
    '2027-02-30T00:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31t00:00:00z',
    ' 2027-01-31T00:00:00Z',
  ])('has no time such as %j', (wrong) => {
    expect(parseTime(wrong)).toBeUndefined();
  });
});
