import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HttpEvent } from '../../../lambdas/shared/http/messages.ts';
import { importSigningKey, type SignToken } from '../../../lambdas/shared/keys/signing-key.ts';
import type { RegisteredClient } from '../../../lambdas/token/read-client.ts';
import { createTokenHandler, type TokenDependencies } from '../../../lambdas/token/token-endpoint.ts';
import { digestClientSecret, generateClientSecret } from '../../../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../../../storage/signing-keys.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl, newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const [clientSecret = '', secondSecret = '', endedSecret = '', wrongSecret = ''] = Array.from('1234', () =>
  generateClientSecret(randomBytes),
);
const secret = (text: string, endsAt?: number) => ({
  digest: digestClientSecret(text),
  ...(endsAt === undefined ? {} : { endsAt }),
});

const acme: RegisteredClient = {
  organisationId: 'umbrella',
  active: true,
  scopes: ['sync:create', 'volume:read'],
  secrets: [
    secret(clientSecret),
    secret(secondSecret, noon.getTime() + 1),
    secret(endedSecret, noon.getTime()),
  ],
};
const clients: Readonly<Record<string, RegisteredClient>> = { acme, revoked: { ...acme, active: false } };

let key: PrivateJwk;
let sign: SignToken;
beforeAll(async () => {
  key = await newKey();
  sign = importSigningKey(key);
});

function setUp(overrides: Partial<TokenDependencies> = {}) {
  const { log, lines, values } = recordingLog();
  const reads: string[] = [];
  const handler = createTokenHandler({
    readClient: async (clientId) => {
      reads.push(clientId);
      return Object.hasOwn(clients, clientId) ? clients[clientId] : undefined;
    },
    currentKey: async () => sign,
    baseUrl,
    lifetimeSeconds: 3600,
    now: () => noon.getTime(),
    newTokenId: () => 'token-id',
    log,
    ...overrides,
  });
  return { handler, lines, values, reads };
}

const grant = 'grant_type=client_credentials';
const post = `${grant}&client_id=acme&client_secret=${clientSecret}`;

const basic = (id: string, text: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${text}`).toString('base64')}`,
});

function request(body: string, headers: Record<string, string> = {}): HttpEvent {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return httpEvent({ routeKey: 'POST /oauth/token', headers: { ...type, ...headers }, body });
}

async function send(form: string, headers: Record<string, string> = {}) {
  const setup = setUp();
  const answer = await setup.handler(request(form, headers));
  return { ...setup, answer, body: bodyOf(answer) };
}

describe('POST /oauth/token grants', () => {
  test('a token to a client that authenticates by Basic (RFC 6749 section 5.1), logged and counted', async () => {
    const { handler, lines, values } = setUp({ keysAge: () => 86_400_000 });
    const answer = await handler(request(grant, basic('acme', clientSecret)));
    expect(answer.statusCode).toBe(200);
    expect(bodyOf(answer)).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'volume:read sync:create',
    });
    expect(answer.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'tokenIssued',
        request_id: 'request-1',
        client_id: 'acme',
        organisation_id: 'umbrella',
        scope: 'volume:read sync:create',
      },
    ]);
    // The age of the keys is in seconds.
    expect(values).toEqual([{ TokensIssued: 1, SigningKeysAge: 86_400 }]);
    expect((await send(post)).values).toEqual([{ TokensIssued: 1 }]);
  });

  test('a JWT of RFC 9068 that the published key verifies, of whole seconds, so that it is never from the future', async () => {
    const { handler } = setUp({ now: () => noon.getTime() + 999 });
    const { access_token } = bodyOf(await handler(request(post)));
    const keys = createLocalJWKSet({ keys: [publicJwk(key)] });
    const verified = await jwtVerify(String(access_token), keys, { currentDate: noon });
    const iat = noon.getTime() / 1000;
    expect(verified.protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: key.kid });
    expect(verified.payload).toEqual({
      iss: baseUrl,
      aud: baseUrl,
      sub: 'acme',
      client_id: 'acme',
      organisation_id: 'umbrella',
      scope: 'volume:read sync:create',
      iat,
      exp: iat + 3600,
      jti: 'token-id',
    });
  });

  test('a token by the form, for a second live secret, and for one scope of two', async () => {
    expect((await send(`${post}&scope=volume:read`)).body.scope).toBe('volume:read');
    expect((await send(grant, basic('acme', secondSecret))).answer.statusCode).toBe(200);
  });
});

describe('POST /oauth/token refuses', () => {
  test('a wrong request before it reads a client, with a challenge for a lack of credentials alone', async () => {
    const right = basic('acme', clientSecret);
    for (const [error, error_description, form, headers] of [
      ['invalid_request', 'The body must be percent-encoded UTF-8', `${post}&x=%zz`, {}],
      ['invalid_request', 'grant_type is missing', '', {}],
      ['invalid_request', 'grant_type is missing', 'grant_type=&scope=a', right],
      // A byte order mark is part of the first name.
      ['invalid_request', 'grant_type is missing', `%EF%BB%BF${post}`, {}],
      ...['password', 'Client_Credentials', 'client_credentials+', '\u0000'].map(
        (type) =>
          [
            'unsupported_grant_type',
            'The only grant type is client_credentials',
            `grant_type=${type}`,
            right,
          ] as const,
      ),
    ] as const) {
      const { answer, body, lines, values, reads } = await send(form, headers);
      expect([answer.statusCode, body]).toEqual([400, { error, error_description }]);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
      expect(values).toEqual([{ TokensRefused: 1, Reason: error }]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toHaveProperty('client_id');
      expect(reads).toEqual([]);
    }
  });

  test('a scope that the client does not hold, and names the client in the log, but not in the answer', async () => {
    const { answer, body, lines, values } = await send(`${post}&scope=volume:read+admin`);
    expect(answer.statusCode).toBe(400);
    expect(body).toEqual({ error: 'invalid_scope', error_description: expect.any(String) });
    expect(answer.body).not.toContain('umbrella');
    const client = { client_id: 'acme', organisation_id: 'umbrella' };
    expect(lines).toEqual([expect.objectContaining({ refusal: 'invalid_scope', ...client })]);
    expect(values).toEqual([{ TokensRefused: 1, Reason: 'invalid_scope' }]);
  });

  test('a client with one text for every reason, and tells the operator alone which it was', async () => {
    /** An id in the form of those that the command line makes. Of other ids, only those of clients are logged. */
    const madeId = `client_${'0'.repeat(26)}`;
    const unknown = ['There is no such client', 'unknown_client'] as const;
    const ended = ['The client secret is wrong or has ended', 'wrong_secret'] as const;
    const malformed = 'malformed_credentials';
    const mistyped = ['The client secret is mistyped: its form or checksum is wrong', malformed] as const;
    const noId = ['The client id has a form that no client id has', malformed] as const;
    const none = ['The request has no well-formed credentials', malformed] as const;
    const cases: readonly (readonly [
      reason: readonly [text: string, refusal: string],
      logged: string | undefined,
      id: string,
      secret: string,
    ])[] = [
      [none, undefined, '', clientSecret],
      [unknown, madeId, madeId, clientSecret],
      ...['nobody', '__proto__', `${madeId}0`, `x${madeId}`].map(
        (id) => [unknown, undefined, id, clientSecret] as const,
      ),
      [['The client is revoked', 'revoked_client'], 'revoked', 'revoked', clientSecret],
      [ended, 'acme', 'acme', wrongSecret],
      [ended, 'acme', 'acme', endedSecret],
      [mistyped, madeId, madeId, 'secret'],
      [mistyped, undefined, 'acme', `${clientSecret.slice(0, -1)}!`],
      // Whoever confuses the two fields sends the secret as the id.
      [mistyped, undefined, clientSecret, 'acme'],
      ...['a\nb', 'acme%2F', '\ufeffacme', 'a'.repeat(129)].map(
        (id) => [noId, undefined, id, clientSecret] as const,
      ),
    ];
    for (const [[reason, Reason], logged, id, text] of cases) {
      const { answer, body, lines, values, reads } = await send(grant, basic(id, text));
      expect(answer.statusCode, id).toBe(401);
      expect(header(answer, 'www-authenticate')).toBe('Basic realm="file-sync-api", charset="UTF-8"');
      expect(header(answer, 'cache-control')).toBe('no-store');
      const description = 'The client id or client secret is missing or wrong, or the client is revoked';
      expect(body).toEqual({ error: 'invalid_client', error_description: description });
      expect(lines).toEqual([expect.objectContaining({ message: 'tokenRefused', status: 401, reason })]);
      expect(lines[0]?.client_id).toBe(logged);
      expect(values).toEqual([{ TokensRefused: 1, Reason }]);
      expect(reads).toHaveLength(Reason === malformed ? 0 : 1);
    }
  });
});

afterEach(() => void vi.useRealTimers());

describe('POST /oauth/token', () => {
  test('never says in the log that it issued a token after it answered 500', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let letGo: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const currentKey = vi.fn(async () => {
      await late;
      return sign;
    });
    const { handler, lines } = setUp({ answerWithinMilliseconds: 20, currentKey });
    const first = handler(request(post));
    await vi.waitFor(() => expect(currentKey).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(20);
    expect((await first).statusCode).toBe(500);
    letGo();
    // The second request has the same way to go as the first has left, and begins later.
    expect((await handler(request(post))).statusCode).toBe(200);
    expect(lines.map(({ message }) => message)).toEqual(['requestFailed', 'tokenIssued']);
  });

  test.each([
    ['the database fails', { readClient: async () => Promise.reject(new Error('hush')) }],
    ['the key cannot be had', { currentKey: async () => Promise.reject(new Error('hush')) }],
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
    expect(lines).toEqual([expect.objectContaining({ message: 'requestFailed', request_id: 'request-1' })]);
    expect(JSON.stringify([answer, lines])).not.toMatch(/hush|fss_/);
  });
});
