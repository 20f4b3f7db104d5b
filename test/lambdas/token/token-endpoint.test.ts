import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HttpEvent } from '../../../lambdas/shared/http/messages.ts';
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
  test('a token to a client that authenticates by Basic (RFC 6749 section 5.1), logged and counted', async () => {
    const { handler, lines, values } = setUp({ keysAge: () => 86_400_000 });
    const answer = await handler(request(grant, basic('acme', clientSecret)));
    const body = bodyOf(answer);
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
    // The age of the keys is in seconds.
    expect(values).toEqual([{ TokensIssued: 1, SigningKeysAge: 86_400 }]);
    expect((await send(post)).values).toEqual([{ TokensIssued: 1 }]);
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

  test('a token however the standards let a client ask', async () => {
    const ways: readonly (readonly [name: string, form: string, headers: Record<string, string>])[] = [
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
    ];
    for (const [name, form, headers] of ways) {
      expect((await send(form, headers)).answer.statusCode, name).toBe(200);
    }
  });

  test('a token for a body that is not base64 encoded', async () => {
    const event = { ...request(''), body: post, isBase64Encoded: false };
    expect((await setUp().handler(event)).statusCode).toBe(200);
  });

  test('only the scopes that were asked for', async () => {
    for (const [requested, granted] of [
      ['volume:read', 'volume:read'],
      ['sync:create', 'sync:create'],
      ['sync:create+volume:read', 'volume:read sync:create'],
      ['volume:read+volume:read', 'volume:read'],
    ]) {
      expect((await send(`${post}&scope=${requested}`)).body.scope).toBe(granted);
    }
  });
});

/** A form, and headers. */
type Sent = readonly [form: string | Uint8Array, headers?: Record<string, string>];

/** Sends each, and gives those that come to something else, after a client was read, or without one line in the log. */
async function notRefused(cases: readonly Sent[], status: number, error: string, description: string) {
  const expected = [status, { error, error_description: description }, 'no-store', 1, 0];
  const found: unknown[] = [];
  for (const [form, headers] of cases) {
    const { answer, body, lines, reads } = await send(form, headers);
    const came = [answer.statusCode, body, header(answer, 'cache-control'), lines.length, reads.length];
    if (!isDeepStrictEqual(came, expected)) {
      found.push({ form: String(form).slice(0, 200), headers, came });
    }
  }
  return found;
}

describe('POST /oauth/token refuses with invalid_request', () => {
  const type = (contentType: string): Sent => [post, { 'content-type': contentType }];
  const charset = (parameters: string) => type(`application/x-www-form-urlencoded; ${parameters}`);

  test.each<[description: string, cases: readonly Sent[]]>([
    [
      'The content type must be application/x-www-form-urlencoded in UTF-8',
      [
        ...['application/json', 'application/x-www-form-urlencoded-not', '', 'x'].map(type),
        ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded, text/plain'].map(type),
        ...['charset=latin1', 'charset=utf-8x', 'charset=utf-16; charset=utf-8', 'charset=utf8'].map(charset),
        ...['charset=utf-8; charset=latin1', 'charset=charset=utf-8', 'charset="utf-8"x'].map(charset),
        ...['charset=x"utf-8"', 'charset=utf-8 latin1', 'charset='].map(charset),
      ],
    ],
    ['The body must not exceed 16384 bytes', [[`${post}&x=`.padEnd(16 * 1024 + 1, 'y')]]],
    [
      'The body must be percent-encoded UTF-8',
      [
        [Buffer.concat([Buffer.from(`${post}&x=`), Buffer.from([0xff])])],
        // Bytes that are not UTF-8, a surrogate, an overlong encoding, and a percent sign that encodes nothing.
        ...['x=%FF', 'x=%ED%A0%80', 'x=%C0%AF', 'x=%zz', '%zz'].map((pair): Sent => [`${post}&${pair}`]),
      ],
    ],
    [
      'grant_type is missing',
      [
        [''],
        ['client_id=acme'],
        [`grant_type=&client_id=acme&client_secret=${clientSecret}`],
        // A byte order mark is part of the first name.
        [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(post)])],
      ],
    ],
    ['grant_type is included more than once', [[`${post}&${grant}`]]],
    ['client_id is included more than once', [[`${post}&client_id=a`], [`${post}&client%5Fid=acme`]]],
    ['client_secret is included more than once', [[`${post}&client_secret=a`]]],
    ['scope is included more than once', [[`${post}&scope=volume:read&scope=sync:create`]]],
    ['A parameter is included more than once', [[`${post}&x=1&x=2`], [`${post}&x_scope=a&x_scope=b`]]],
    [
      'Authenticate the client in one way only: HTTP Basic or the form',
      [
        [post, basic('acme', clientSecret)],
        [post, { authorization: 'Bearer x' }],
      ],
    ],
    [
      'client_id differs from the client id of HTTP Basic',
      [[`${grant}&client_id=reader`, basic('acme', clientSecret)]],
    ],
  ])('%s', async (description, cases) => {
    expect(await notRefused(cases, 400, 'invalid_request', description)).toEqual([]);
  });

  test('and takes a body of exactly 16 KiB', async () => {
    const filled = `${post}&x=`.padEnd(16 * 1024, 'y');
    expect((await send(filled)).answer.statusCode).toBe(200);
  });

  test('no body or no content type', async () => {
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
});

test('POST /oauth/token refuses every other grant type with unsupported_grant_type', async () => {
  const types = ['authorization_code', 'password', 'Client_Credentials', 'client_credentials+', '\u0000'];
  const cases = types.map((grantType): Sent => [`grant_type=${grantType}`, basic('acme', clientSecret)]);
  const description = 'The only grant type is client_credentials';
  expect(await notRefused(cases, 400, 'unsupported_grant_type', description)).toEqual([]);
});

describe('POST /oauth/token refuses with invalid_client', () => {
  const wrong = generateClientSecret(randomBytes);
  const raw = (text: string) => ({ authorization: text });
  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
  const bytes = (...values: readonly number[]) => Buffer.from(values);
  /** Right credentials, which leave one byte over from groups of three (`==`), or two (`=`), or hold a `+`. */
  const one = base64(`acme:${clientSecret}`);
  const two = base64(`%61%63me:${clientSecret}`);
  const plus = base64(`%77%69th~all.the_characters-1:${clientSecret}`);
  // One text for all, so that it tells nobody which part was wrong.
  const description = 'The client id or client secret is missing or wrong, or the client is revoked';

  test('and tells the operator alone why, and a client id only if it is stored or in the form of ours', async () => {
    const unknown = 'There is no such client';
    const ended = 'The client secret is wrong or has ended';
    const mistyped = 'The client secret is mistyped: its form or checksum is wrong';
    const noId = 'The client id has a form that no client id has';
    const cases: readonly (readonly [
      reason: string,
      logged: string | undefined,
      id: string,
      secret: string,
    ])[] = [
      [unknown, madeId, madeId, clientSecret],
      ...['nobody', '__proto__', `${madeId}0`, `x${madeId}`].map(
        (id) => [unknown, undefined, id, clientSecret] as const,
      ),
      ['The client is revoked', 'revoked', 'revoked', revokedSecret],
      [ended, 'acme', 'acme', wrong],
      [ended, 'acme', 'acme', deadSecret],
      [mistyped, madeId, madeId, 'secret'],
      [mistyped, undefined, 'acme', `${clientSecret.slice(0, -1)}!`],
      // Whoever confuses the two fields sends the secret as the id.
      [mistyped, undefined, clientSecret, 'acme'],
      ...['a\nb', 'a/b', 'acme%2F', '%2Facme', '\ufeffacme', 'a'.repeat(129)].map(
        (id) => [noId, undefined, id, clientSecret] as const,
      ),
    ];
    for (const [reason, logged, id, secret] of cases) {
      const { answer, body, lines, reads } = await send(grant, basic(id, secret));
      expect(answer.statusCode, id).toBe(401);
      expect(header(answer, 'www-authenticate')).toBe('Basic realm="file-sync-api", charset="UTF-8"');
      expect(header(answer, 'cache-control')).toBe('no-store');
      expect(body).toEqual({ error: 'invalid_client', error_description: description });
      expect(lines).toEqual([expect.objectContaining({ message: 'tokenRefused', status: 401, reason })]);
      expect(lines[0]?.client_id).toBe(logged);
      expect(reads).toHaveLength(reason === mistyped || reason === noId ? 0 : 1);
    }
  });

  test('what is no, half or malformed credentials, without reading a client', async () => {
    const malformed: readonly Sent[] = [
      [grant],
      [`${grant}&client_id=acme`],
      [`${grant}&client_secret=${clientSecret}`],
      [`${grant}&client_id=acme`, raw('Basic')],
      [grant, basic('', clientSecret)],
      [grant, basic('acme', '')],
      // RFC 7617, RFC 6749 section 2.3.1
      ...[
        'Bearer x',
        'Basic ***',
        `Basic ${base64(clientSecret)}`,
        // Padding that is missing, half there or too much, and bits that no byte uses.
        `Basic ${one.slice(0, -2)}`,
        `Basic ${two.slice(0, -1)}`,
        `Basic ${one.slice(0, -1)}`,
        `Basic ${two}=`,
        `Basic ${one.slice(0, -3)}${nextCharacter(one.at(-3))}==`,
        `Basic ${two.slice(0, -2)}${nextCharacter(two.at(-2))}=`,
        `Basic ${plus.replace('+', '-')}`,
        `Basic ${one.slice(0, 8)} ${one.slice(8)}`,
        `Basic ${one.slice(0, 8)}\n${one.slice(8)}`,
        `x Basic ${one}`,
        `Bearer Basic ${one}`,
        `Basic ${one} x`,
        `Basic ${one}, realm=x`,
        `Basic ${one},Basic ${one}`,
        // Bytes that are not UTF-8, also when they are percent-encoded.
        `Basic ${base64(Buffer.concat([Buffer.from(one, 'base64'), bytes(0xff)]))}`,
        `Basic ${base64(Buffer.concat([bytes(0xff), Buffer.from(one, 'base64')]))}`,
        `Basic ${base64(Buffer.concat([bytes(0xc1, 0xa1), Buffer.from(one, 'base64')]))}`,
        `Basic ${base64(`acme:${clientSecret}%ff`)}`,
        `Basic ${base64(`acme:${clientSecret}%`)}`,
      ].map((text): Sent => [grant, raw(text)]),
    ];
    expect(await notRefused(malformed, 401, 'invalid_client', description)).toEqual([]);
  });

  test('but not right credentials in base64, with any padding (RFC 4648 section 4)', async () => {
    for (const encoded of [one, two, plus]) {
      expect((await send(grant, raw(`Basic ${encoded}`))).answer.statusCode).toBe(200);
    }
  });
});

/** The character after this one in the alphabet of base64: its lowest bit is set. */
function nextCharacter(character = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet.charAt(alphabet.indexOf(character) + 1);
}

describe('POST /oauth/token refuses with invalid_scope', () => {
  const acmeMay = 'The client may request these scopes only: volume:read sync:create';
  const malformed = 'scope must be a list of scopes, each separated by one space';

  test.each<[description: string, clientId: string, scopes: readonly string[]]>([
    // One held and one not held: it is not dropped.
    [
      'The client may request these scopes only: volume:read',
      'reader',
      ['sync:create', 'volume:read+sync:create'],
    ],
    [acmeMay, 'acme', ['admin', 'Volume:Read', 'volume:read,sync:create']],
    ['The client holds no scope', 'scopeless', ['', 'volume:read']],
    ['The client holds no scope', 'retiredScope', ['']],
    // RFC 6749 section 3.3
    [malformed, 'acme', ['volume:read++sync:create', '+volume:read', 'volume:read+', '+', '%09', '%C3%A4']],
    [malformed, 'acme', ['%22', '%22volume:read', 'volume:read+%22', '%5C', 'volume:read%5C', '%00a']],
    [malformed, 'acme', ['volume:read%0A', 'volume:read%09sync:create']],
  ])('%s: %s asks for %j', async (description, clientId, scopes) => {
    for (const scope of scopes) {
      const { answer, body } = await send(`${grant}&scope=${scope}`, basic(clientId, clientSecret));
      const seen = [scope, answer.statusCode, body.error, body.error_description];
      expect(seen).toEqual([scope, 400, 'invalid_scope', description]);
    }
  });
});

afterEach(() => void vi.useRealTimers());

describe('POST /oauth/token', () => {
  test('counts a refusal by its reason', async () => {
    for (const [Reason, form, headers] of [
      ['malformed_credentials', grant, {}],
      ['malformed_credentials', grant, basic('acme', 'typed wrong')],
      ['unknown_client', grant, basic(madeId, clientSecret)],
      ['invalid_scope', `${grant}&scope=nothing`, basic('acme', clientSecret)],
      ['invalid_request', '', basic('acme', clientSecret)],
      ['unsupported_grant_type', 'grant_type=password', basic('acme', clientSecret)],
    ] as const) {
      expect((await send(form, headers)).values).toEqual([{ TokensRefused: 1, Reason }]);
    }
  });

  test('names a known client and its organisation in the log of a refusal, and not in the answer', async () => {
    for (const [refusal, form, secret] of [
      ['wrong_secret', grant, revokedSecret],
      ['invalid_scope', `${grant}&scope=admin`, clientSecret],
    ] as const) {
      const { body, lines } = await send(form, basic('of-umbrella', secret));
      expect(lines).toEqual([
        expect.objectContaining({ refusal, client_id: 'of-umbrella', organisation_id: 'umbrella' }),
      ]);
      expect(JSON.stringify(body)).not.toContain('umbrella');
    }
  });

  test('names no client in the log of a refusal of the request itself', async () => {
    const { lines } = await send('grant_type=password', basic('acme', clientSecret));
    expect(lines[0]).not.toHaveProperty('client_id');
  });

  test('challenges only when the client is not authenticated', async () => {
    expect((await send('')).answer.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
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
