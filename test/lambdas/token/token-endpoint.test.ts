import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HttpEvent } from '../../../lambdas/shared/http-messages.ts';
import type { RegisteredClient } from '../../../lambdas/token/read-client.ts';
import { importSigningKeys, type SignTokenAt } from '../../../lambdas/token/signing-key.ts';
import { createTokenHandler, type TokenDependencies } from '../../../lambdas/token/token-endpoint.ts';
import { digestClientSecret, generateClientSecret } from '../../../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../../../storage/signing-keys.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl, newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const clientSecret = generateClientSecret(randomBytes);
const secondSecret = generateClientSecret(randomBytes);
const deadSecret = generateClientSecret(randomBytes);
const revokedSecret = generateClientSecret(randomBytes);

const secret = (text: string, endsAt?: number) => ({
  digest: digestClientSecret(text),
  ...(endsAt === undefined ? {} : { endsAt }),
});

const acme: RegisteredClient = {
  organisationId: 'acme',
  active: true,
  scopes: ['sync:create', 'volume:read'],
  secrets: [
    secret(clientSecret),
    secret(secondSecret, noon.getTime() + 1),
    secret(deadSecret, noon.getTime()),
  ],
};

const clients: Readonly<Record<string, RegisteredClient>> = {
  acme,
  'with~all.the_characters-1': acme,
  revoked: { ...acme, active: false, secrets: [secret(revokedSecret)] },
  reader: { ...acme, scopes: ['volume:read'] },
  'of-umbrella': { ...acme, organisationId: 'umbrella' },
  scopeless: { ...acme, scopes: [] },
  retiredScope: { ...acme, scopes: ['no:such'] },
};

let key: PrivateJwk;
let signTokenAt: SignTokenAt;
beforeAll(async () => {
  key = await newKey();
  signTokenAt = importSigningKeys({ current: key, next: await newKey() });
});

function setUp(overrides: Partial<TokenDependencies> = {}) {
  const { log, lines, values } = recordingLog();
  const reads: string[] = [];
  const handler = createTokenHandler({
    readClient: async (clientId) => {
      reads.push(clientId);
      return Object.hasOwn(clients, clientId) ? clients[clientId] : undefined;
    },
    signingKeys: async () => signTokenAt,
    baseUrl,
    lifetimeSeconds: 3600,
    now: () => noon.getTime(),
    newTokenId: () => 'token-id',
    log,
    ...overrides,
  });
  return { handler, lines, values, reads };
}

function request(form: string | Uint8Array, headers: Record<string, string> = {}): HttpEvent {
  return httpEvent({
    routeKey: 'POST /oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: Buffer.from(form).toString('base64'),
    isBase64Encoded: true,
  });
}

const basic = (id: string, text: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${text}`).toString('base64')}`,
});
const grant = 'grant_type=client_credentials';
/** An id in the form of those that the command line makes. */
const madeId = `client_${'0'.repeat(26)}`;

const post = `${grant}&client_id=acme&client_secret=${clientSecret}`;

async function send(form: string | Uint8Array, headers: Record<string, string> = {}) {
  const setup = setUp();
  const answer = await setup.handler(request(form, headers));
  return { ...setup, answer, body: bodyOf(answer) };
}

describe('POST /oauth/token grants', () => {
  test('a token to a client that authenticates by Basic (RFC 6749 section 5.1)', async () => {
    const { answer, body, lines } = await send(grant, basic('acme', clientSecret));
    expect(answer.statusCode).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'volume:read sync:create',
    });
    expect(header(answer, 'cache-control')).toBe('no-store');
    expect(header(answer, 'pragma')).toBe('no-cache');
    expect(header(answer, 'content-type')).toBe('application/json');
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'tokenIssued',
        request_id: 'request-1',
        client_id: 'acme',
        organisation_id: 'acme',
        scope: 'volume:read sync:create',
      },
    ]);
  });

  test('and counts it, with the ages of the keys in seconds', async () => {
    const { handler, values } = setUp({ keyAges: () => ({ copy: 90_000, keys: 86_400_000 }) });
    await handler(request(post));
    expect(values).toEqual([{ TokensIssued: 1, KeyCopyAge: 90, SigningKeysAge: 86_400 }]);
  });

  test('a JWT of RFC 9068 that the published key verifies', async () => {
    const { body } = await send(post);
    const keys = createLocalJWKSet({ keys: [publicJwk(key)] });
    const { payload, protectedHeader } = await jwtVerify(String(body.access_token), keys, {
      currentDate: noon,
    });
    const iat = noon.getTime() / 1000;
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: key.kid });
    expect(payload).toEqual({
      iss: baseUrl,
      aud: baseUrl,
      sub: 'acme',
      client_id: 'acme',
      organisation_id: 'acme',
      scope: 'volume:read sync:create',
      iat,
      exp: iat + 3600,
      jti: 'token-id',
    });
  });

  test.each([
    ['the form', post, {}],
    ['a second live secret', grant, basic('acme', secondSecret)],
    [
      'Basic in lower case',
      grant,
      { authorization: basic('acme', clientSecret).authorization.replace('B', 'b') },
    ],
    ['Basic and the same client_id in the form', `${grant}&client_id=acme`, basic('acme', clientSecret)],
    ['Basic with form-urlencoded parts (2.3.1)', grant, basic('with%7Eall.the_characters-1', clientSecret)],
    ['unknown parameters, which are ignored (3.2)', `${post}&resource=x&%C3%A4=%E2%82%AC`, {}],
    ['parameters without a value, which count as omitted (3.2)', `${post}&scope=&client_secret=&x&=&&`, {}],
    [
      'a parameter that means nothing here',
      post,
      { 'content-type': 'application/x-www-form-urlencoded; v=1' },
    ],
    [
      'a charset of UTF-8 in quotes',
      post,
      { 'content-type': 'application/x-www-form-urlencoded; charset="utf-8"' },
    ],
    ['a charset of UTF-8', post, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['a media type in upper case', post, { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED' }],
    ['percent-encoded names', post.replace('grant_type', 'grant%5Ftype'), {}],
    ['an empty Authorization header', post, { authorization: '' }],
    [
      'several spaces after the scheme (RFC 9110 section 11.4)',
      grant,
      { authorization: basic('acme', clientSecret).authorization.replace(' ', '   ') },
    ],
    ['names without an equals sign, which have no value', `${post}&x&x&y&y`, {}],
  ])('a token by %s', async (_name, form, headers: Record<string, string>) => {
    expect((await send(form, headers)).answer.statusCode).toBe(200);
  });

  test('a token for a body that is not base64 encoded', async () => {
    const event = { ...request(''), body: post, isBase64Encoded: false };
    expect((await setUp().handler(event)).statusCode).toBe(200);
  });

  test.each([
    ['volume:read', 'volume:read'],
    ['sync:create', 'sync:create'],
    ['sync:create volume:read', 'volume:read sync:create'],
    ['volume:read volume:read', 'volume:read'],
  ])('only the scopes that were asked for: %s', async (requested, granted) => {
    const { body } = await send(`${post}&scope=${requested.replaceAll(' ', '+')}`);
    expect(body.scope).toBe(granted);
  });
});

describe('POST /oauth/token refuses with invalid_request', () => {
  test.each([
    ['another content type', post, { 'content-type': 'application/json' }],
    [
      'a content type that only begins alike',
      post,
      { 'content-type': 'application/x-www-form-urlencoded-not' },
    ],
    ['multipart', post, { 'content-type': 'multipart/form-data; boundary=x' }],
    ['another charset', post, { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' }],
    ['two content types', post, { 'content-type': 'application/x-www-form-urlencoded, text/plain' }],
    ['no content type', post, { 'content-type': '' }],
    ['an empty body', '', {}],
    ['no grant_type', 'client_id=acme', {}],
    ['an empty grant_type', `grant_type=&client_id=acme&client_secret=${clientSecret}`, {}],
    ['a repeated grant_type', `${post}&${grant}`, {}],
    ['a repeated scope', `${post}&scope=volume:read&scope=sync:create`, {}],
    ['a repetition under another encoding', `${post}&client%5Fid=acme`, {}],
    ['a repeated unknown parameter', `${post}&x=1&x=2`, {}],
    ['Basic and a client_secret in the form', post, basic('acme', clientSecret)],
    ['Bearer and a client_secret in the form', post, { authorization: 'Bearer x' }],
    ['Basic and another client_id', `${grant}&client_id=reader`, basic('acme', clientSecret)],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from(`${post}&x=`), Buffer.from([0xff])]), {}],
    ['percent-encoded bytes that are not UTF-8', `${post}&x=%FF`, {}],
    ['an encoded surrogate', `${post}&x=%ED%A0%80`, {}],
    ['an overlong encoding', `${post}&x=%C0%AF`, {}],
    ['a percent sign that encodes nothing', `${post}&x=%zz`, {}],
    ['a body over 16 KiB', `${post}&x=${'y'.repeat(16 * 1024)}`, {}],
  ])('%s', async (_name, form, headers: Record<string, string>) => {
    const { answer, body, reads } = await send(form, headers);
    expect(answer.statusCode).toBe(400);
    expect(body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    expect(header(answer, 'cache-control')).toBe('no-store');
    expect(reads).toEqual([]);
  });

  test.each([
    'charset=utf-8x',
    'charset=utf-16; charset=utf-8',
    'charset=utf-8; charset=latin1',
    'charset=charset=utf-8',
    'charset="utf-8"x',
    'charset=x"utf-8"',
    'charset=utf-8 latin1',
    'charset=',
    'charset=utf8',
  ])('another charset than UTF-8: %s', async (parameters) => {
    const contentType = `application/x-www-form-urlencoded; ${parameters}`;
    const { answer, body } = await send(post, { 'content-type': contentType });
    expect([answer.statusCode, body.error]).toEqual([400, 'invalid_request']);
  });

  test('and takes a body of exactly 16 KiB', async () => {
    const filled = `${post}&x=`.padEnd(16 * 1024, 'y');
    expect((await send(filled)).answer.statusCode).toBe(200);
    expect((await send(`${filled}y`)).answer.statusCode).toBe(400);
  });
});

describe('POST /oauth/token refuses with unsupported_grant_type', () => {
  test.each([
    'authorization_code',
    'password',
    'refresh_token',
    'Client_Credentials',
    'client_credentials+',
    '\u0000',
  ])('the grant type %j', async (grantType) => {
    const { answer, body } = await send(`grant_type=${grantType}`, basic('acme', clientSecret));
    expect(answer.statusCode).toBe(400);
    expect(body.error).toBe('unsupported_grant_type');
  });
});

describe('POST /oauth/token refuses with invalid_client', () => {
  const wrong = generateClientSecret(randomBytes);
  const raw = (text: string) => ({ authorization: text });

  test.each([
    ['no credentials', {}, grant],
    ['a client_id alone', {}, `${grant}&client_id=acme`],
    ['a client_secret alone', {}, `${grant}&client_secret=${clientSecret}`],
    ['a wrong secret', basic('acme', wrong), grant],
    ['an unknown client', basic('nobody', clientSecret), grant],
    ['a client named like an object member', basic('__proto__', clientSecret), grant],
    ['a dead secret', basic('acme', deadSecret), grant],
    ['a revoked client', basic('revoked', revokedSecret), grant],
    ['a mistyped secret', basic('acme', `${clientSecret.slice(0, -1)}!`), grant],
    ['an empty secret', basic('acme', ''), grant],
    ['an empty client id', basic('', clientSecret), grant],
    ['an id of another form', basic('a/b', clientSecret), grant],
    ['a byte order mark before the id', basic('\ufeffacme', clientSecret), grant],
    ['Basic without a colon', raw(`Basic ${Buffer.from('acme').toString('base64')}`), grant],
    ['Basic without anything', raw('Basic'), grant],
    ['Basic that is not base64', raw('Basic ***'), grant],
    [
      'Basic in base64 without its padding',
      raw(`Basic ${Buffer.from('acme:xx').toString('base64url')}`),
      grant,
    ],
    ['Basic that is not UTF-8', raw('Basic /zr/'), grant],
    ['Basic with broken percent-encoding', basic('acme', '%zz'), grant],
    ['two Authorization headers', raw('Basic YTpi,Basic YTpi'), grant],
    ['a bearer token', raw('Bearer x'), grant],
  ])('%s', async (_name, headers: Record<string, string>, form) => {
    const { answer, body } = await send(form, headers);
    expect(answer.statusCode).toBe(401);
    expect(header(answer, 'www-authenticate')).toMatch(/^Basic realm="[^"]+", charset="UTF-8"$/);
    expect(header(answer, 'cache-control')).toBe('no-store');
    expect(body.error).toBe('invalid_client');
    // One text for all, so that it tells nobody which part was wrong.
    expect(body).toEqual((await send(grant)).body);
  });

  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
  const bytes = (...values: readonly number[]) => Buffer.from(values);
  /** Right credentials, which leave one byte over from groups of three (`==`), or two (`=`), or hold a `+`. */
  const one = base64(`acme:${clientSecret}`);
  const two = base64(`%61%63me:${clientSecret}`);
  const plus = base64(`%77%69th~all.the_characters-1:${clientSecret}`);

  test.each([one, two, plus])(
    'but not right credentials in base64 (RFC 4648 section 4): %#',
    async (encoded) => {
      expect((await send(grant, raw(`Basic ${encoded}`))).answer.statusCode).toBe(200);
    },
  );

  test.each([
    ['without padding, of two', `Basic ${one.slice(0, -2)}`],
    ['without padding, of one', `Basic ${two.slice(0, -1)}`],
    ['with half of the padding', `Basic ${one.slice(0, -1)}`],
    ['with more padding', `Basic ${two}=`],
    ['with unused bits, of four', `Basic ${one.slice(0, -3)}${nextCharacter(one.at(-3))}==`],
    ['with unused bits, of two', `Basic ${two.slice(0, -2)}${nextCharacter(two.at(-2))}=`],
    ['in the alphabet of base64url', `Basic ${plus.replace('+', '-')}`],
    ['with a space inside', `Basic ${one.slice(0, 8)} ${one.slice(8)}`],
    ['with a line break inside', `Basic ${one.slice(0, 8)}\n${one.slice(8)}`],
    ['with a text before the scheme', `x Basic ${one}`],
    ['with another scheme before', `Bearer Basic ${one}`],
    ['with a text after them', `Basic ${one} x`],
    ['with a parameter after them', `Basic ${one}, realm=x`],
    ['twice', `Basic ${one},Basic ${one}`],
    [
      'before a byte that is not UTF-8',
      `Basic ${base64(Buffer.concat([Buffer.from(one, 'base64'), bytes(0xff)]))}`,
    ],
    [
      'after a byte that is not UTF-8',
      `Basic ${base64(Buffer.concat([bytes(0xff), Buffer.from(one, 'base64')]))}`,
    ],
    [
      'beside an overlong form',
      `Basic ${base64(Buffer.concat([bytes(0xc1, 0xa1), Buffer.from(one, 'base64')]))}`,
    ],
    ['beside percent-encoded bytes that are not UTF-8', `Basic ${base64(`acme:${clientSecret}%ff`)}`],
    ['beside a percent sign that encodes nothing', `Basic ${base64(`acme:${clientSecret}%`)}`],
  ])('right credentials of Basic as malformed, %s (RFC 7617, RFC 6749 section 2.3.1)', async (_, header) => {
    const { answer, lines } = await send(grant, raw(header));
    expect(answer.statusCode).toBe(401);
    // A refusal for another reason would mean that the malformed text was read.
    expect(lines).toEqual([
      expect.objectContaining({ reason: 'The request has no well-formed credentials' }),
    ]);
  });

  test.each([
    ['There is no such client', madeId, basic(madeId, clientSecret)],
    ['There is no such client', undefined, basic('nobody', clientSecret)],
    ['The client is revoked', 'revoked', basic('revoked', revokedSecret)],
    ['The client secret is wrong or has ended', 'acme', basic('acme', wrong)],
    ['The client secret is mistyped: its form or checksum is wrong', madeId, basic(madeId, 'secret')],
    // Whoever confuses the two fields sends the secret as the id.
    ['The client secret is mistyped: its form or checksum is wrong', undefined, basic(clientSecret, 'acme')],
    ['There is no such client', undefined, basic(`${madeId}0`, clientSecret)],
    ['There is no such client', undefined, basic(`x${madeId}`, clientSecret)],
    ['The client id has a form that no client id has', undefined, basic('a\nb', clientSecret)],
    ['The client id has a form that no client id has', undefined, basic('acme%2F', clientSecret)],
    ['The client id has a form that no client id has', undefined, basic('%2Facme', clientSecret)],
    ['The client id has a form that no client id has', undefined, basic('a'.repeat(129), clientSecret)],
    ['The request has no well-formed credentials', undefined, {}],
  ])('and tells the operator in the log: %s', async (reason, clientId, headers) => {
    const { lines } = await send(grant, headers);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      message: 'tokenRefused',
      request_id: 'request-1',
      error: 'invalid_client',
      reason,
    });
    expect(lines[0]?.client_id).toBe(clientId);
  });

  test.each([
    ['malformed_credentials', grant, {}],
    ['malformed_credentials', grant, basic('acme', 'typed wrong')],
    ['unknown_client', grant, basic(madeId, clientSecret)],
    ['invalid_scope', `${grant}&scope=nothing`, basic('acme', clientSecret)],
    ['invalid_request', '', basic('acme', clientSecret)],
    ['unsupported_grant_type', 'grant_type=password', basic('acme', clientSecret)],
  ])('and counts it as %s', async (Reason, form, headers) => {
    const { values } = await send(form, headers);
    expect(values).toEqual([{ TokensRefused: 1, Reason }]);
  });

  test.each([
    ['a client_id alone', `${grant}&client_id=acme`, {}],
    ['a client_secret alone', `${grant}&client_secret=${clientSecret}`, {}],
    ['Basic without an id', grant, basic('', clientSecret)],
    ['Basic without a secret', grant, basic('acme', '')],
    ['Basic without a colon', grant, raw(`Basic ${base64(clientSecret)}`)],
    ['Basic without anything, and a client_id', `${grant}&client_id=acme`, raw('Basic')],
  ])(
    'as malformed what is half of the credentials: %s',
    async (_name, form, headers: Record<string, string>) => {
      const { answer, lines, reads } = await send(form, headers);
      expect(answer.statusCode).toBe(401);
      expect(lines).toMatchObject([{ reason: 'The request has no well-formed credentials' }]);
      expect(reads).toEqual([]);
    },
  );

  test('without a database read when the secret is mistyped or the id has another form', async () => {
    expect((await send(grant, basic('acme', `${clientSecret.slice(0, -1)}!`))).reads).toEqual([]);
    expect((await send(grant, basic('a b', clientSecret))).reads).toEqual([]);
    expect((await send(grant, basic('acme', wrong))).reads).toEqual(['acme']);
  });
});

/** The character after this one in the alphabet of base64: its lowest bit is set. */
function nextCharacter(character = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet.charAt(alphabet.indexOf(character) + 1);
}

describe('POST /oauth/token refuses with invalid_scope', () => {
  test.each([
    ['a scope that the client does not hold', 'reader', 'sync:create'],
    ['one held and one not held: it is not dropped', 'reader', 'volume:read+sync:create'],
    ['a scope that does not exist', 'acme', 'admin'],
    ['another case', 'acme', 'Volume:Read'],
    ['two spaces', 'acme', 'volume:read++sync:create'],
    ['a leading space', 'acme', '+volume:read'],
    ['a space alone', 'acme', '+'],
    ['a comma', 'acme', 'volume:read,sync:create'],
    ['a tab', 'acme', 'volume:read%09sync:create'],
    ['a quotation mark', 'acme', '%22'],
    ['no scope, of a client that holds none', 'scopeless', ''],
    ['no scope, of a client that holds none that exists', 'retiredScope', ''],
  ])('%s', async (_name, clientId, scope) => {
    const { answer, body } = await send(`${grant}&scope=${scope}`, basic(clientId, clientSecret));
    expect(answer.statusCode).toBe(400);
    expect(body.error).toBe('invalid_scope');
  });

  test.each(['+volume:read', 'volume:read+', '%22volume:read', 'volume:read%5C', 'volume:read%0A', '%C3%A4'])(
    'and says that the list is malformed (RFC 6749 section 3.3): %s',
    async (scope) => {
      const { body } = await send(`${grant}&scope=${scope}`, basic('acme', clientSecret));
      expect(body.error_description).toBe('scope must be a list of scopes, each separated by one space');
    },
  );
});

afterEach(() => void vi.useRealTimers());

describe('POST /oauth/token', () => {
  test('says which parameter is repeated, and which scopes the client may request', async () => {
    const description = async (form: string, headers?: Record<string, string>) =>
      (await send(form, headers)).body.error_description;
    expect(await description(`${post}&${grant}`)).toBe('grant_type is included more than once');
    expect(await description(`${post}&x=1&x=2`)).toBe('A parameter is included more than once');
    expect(await description(`${grant}&scope=sync:create`, basic('reader', clientSecret))).toBe(
      'The client may request these scopes only: volume:read',
    );
  });

  test.each([
    ['The content type must be application/x-www-form-urlencoded in UTF-8', post, { 'content-type': 'x' }],
    ['The body must not exceed 16384 bytes', 'x'.repeat(16 * 1024 + 1), {}],
    ['The body must be percent-encoded UTF-8', Uint8Array.of(0xff), {}],
    ['The body must be percent-encoded UTF-8', `${post}&%zz`, {}],
    ['The body must be percent-encoded UTF-8', `${post}&x=%zz`, {}],
    ['client_id is included more than once', `${post}&client_id=a`, {}],
    ['client_secret is included more than once', `${post}&client_secret=a`, {}],
    ['scope is included more than once', `${post}&scope=a&scope=b`, {}],
    ['A parameter is included more than once', `${post}&x_scope=a&x_scope=b`, {}],
    ['grant_type is missing', 'client_id=acme', {}],
    ['Authenticate the client in one way only: HTTP Basic or the form', post, basic('acme', clientSecret)],
    [
      'client_id differs from the client id of HTTP Basic',
      `${grant}&client_id=reader`,
      basic('acme', clientSecret),
    ],
    ['The only grant type is client_credentials', 'grant_type=password', {}],
    ['The client holds no scope', grant, basic('scopeless', clientSecret)],
    ['scope must be a list of scopes, each separated by one space', `${post}&scope=+`, {}],
    ['The client may request these scopes only: volume:read sync:create', `${post}&scope=admin`, {}],
    [
      'The client id or client secret is missing or wrong, or the client is revoked',
      grant,
      { authorization: 'Basic' },
    ],
  ])('tells the developer: %s', async (description, form, headers: Record<string, string>) => {
    const { body, lines } = await send(form, headers);
    expect(body.error_description).toBe(description);
    // The log gives the operator the same reason, or a closer one.
    expect(lines).toMatchObject([{ level: 'WARN', message: 'tokenRefused', error: body.error }]);
    expect(lines[0]?.reason).toBe(
      body.error === 'invalid_client' ? 'The request has no well-formed credentials' : description,
    );
  });

  test.each(['"', '\\', '"admin', 'admin\\', 'volume:read "', '\u0000a'])(
    'tells a developer that the scope %j is malformed, wherever the wrong character stands',
    async (scope) => {
      const { body } = await send(`${post}&scope=${encodeURIComponent(scope)}`);
      expect(body.error_description).toBe('scope must be a list of scopes, each separated by one space');
    },
  );

  test.each([
    ['a wrong secret', grant, basic('of-umbrella', revokedSecret), 'wrong_secret'],
    ['a scope that it lacks', `${grant}&scope=admin`, basic('of-umbrella', clientSecret), 'invalid_scope'],
  ])(
    'names the client and its organisation in the log of %s, and not in the answer',
    async (_, form, headers, refusal) => {
      const { body, lines } = await send(form, headers);
      expect(lines).toEqual([
        expect.objectContaining({ refusal, client_id: 'of-umbrella', organisation_id: 'umbrella' }),
      ]);
      expect(Object.keys(body)).toEqual(['error', 'error_description']);
      expect(JSON.stringify(body)).not.toContain('umbrella');
    },
  );

  test('names no client in the log of a refusal of the request itself', async () => {
    const { lines } = await send('grant_type=password', basic('acme', clientSecret));
    expect(lines[0]).not.toHaveProperty('client_id');
  });

  test('challenges in the realm of the service only when the client is not authenticated', async () => {
    expect(header((await send(grant)).answer, 'www-authenticate')).toBe(
      'Basic realm="file-sync-api", charset="UTF-8"',
    );
    expect((await send('')).answer.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
  });

  test('refuses a request without a body or a content type as malformed', async () => {
    const { body, ...withoutBody } = request(post);
    for (const [event, error_description] of [
      [withoutBody, 'grant_type is missing'],
      [
        { ...withoutBody, ...(body && { body }), headers: {} },
        'The content type must be application/x-www-form-urlencoded in UTF-8',
      ],
    ] as const) {
      const answer = await setUp().handler(event);
      expect(answer.statusCode).toBe(400);
      expect(bodyOf(answer)).toEqual({ error: 'invalid_request', error_description });
    }
  });

  test('takes a byte order mark for a part of the first name', async () => {
    const { body } = await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(post)]));
    expect(body.error_description).toBe('grant_type is missing');
  });

  test('gives a token whole seconds, rounded down, so that it is never from the future', async () => {
    const { handler } = setUp({ now: () => noon.getTime() + 999 });
    const { access_token } = bodyOf(await handler(request(post)));
    const payload = JSON.parse(Buffer.from(String(access_token).split('.')[1] ?? '', 'base64url').toString());
    expect(payload.iat).toBe(noon.getTime() / 1000);
    expect(payload.exp).toBe(noon.getTime() / 1000 + 3600);
  });

  test('never says in the log that it issued a token after it answered 500', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let letGo: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let ask: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const { handler, lines } = setUp({
      answerWithinMilliseconds: 20,
      signingKeys: async () => {
        ask();
        await late;
        return signTokenAt;
      },
    });
    const first = handler(request(post));
    await asked;
    await vi.advanceTimersByTimeAsync(20);
    expect((await first).statusCode).toBe(500);
    letGo();
    // The second request has the same way to go as the first has left, and begins later.
    expect((await handler(request(post))).statusCode).toBe(200);
    expect(lines.map(({ message }) => message)).toEqual(['requestFailed', 'tokenIssued']);
  });

  test('describes errors in the characters of RFC 6749 section 5.2, and quotes no input', async () => {
    const forms = ['', 'grant_type=zzz%22', `${post}&scope=zzz`, `${post}&x=%zz`, `${post}&x=1&x=2`, grant];
    for (const form of forms) {
      const description = String((await send(form)).body.error_description);
      expect(description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      expect(description).not.toContain('zzz');
    }
  });

  test.each([
    ['the database fails', { readClient: async () => Promise.reject(new Error('hush')) }],
    ['the key cannot be had', { signingKeys: async () => Promise.reject(new Error('hush')) }],
    [
      'a dependency hangs',
      { answerWithinMilliseconds: 50, readClient: () => new Promise<undefined>(() => undefined) },
    ],
  ])('answers 500 without detail, and logs one line, when %s', async (_name, overrides) => {
    const { handler, lines } = setUp(overrides);
    const answer = await handler(request(post));
    expect(answer.statusCode).toBe(500);
    expect(bodyOf(answer)).toEqual({ error: 'internal_error', error_description: expect.any(String) });
    expect(header(answer, 'cache-control')).toBe('no-store');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ message: 'requestFailed', request_id: 'request-1' });
    expect(JSON.stringify([answer, lines])).not.toMatch(/hush|fss_/);
  });
});
