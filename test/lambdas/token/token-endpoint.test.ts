import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { HttpEvent } from '../../../lambdas/shared/http/messages.ts';
import { importSigningKey, type SignToken } from '../../../lambdas/shared/keys/signing-key.ts';
import type { RegisteredClient } from '../../../lambdas/token/read-client.ts';
import { createTokenHandler, type TokenDependencies } from '../../../lambdas/token/token-endpoint.ts';
import { digestClientSecret, generateClientSecret } from '../../../storage/client-secret.ts';
import { type PrivateJwk, publicJwk } from '../../../storage/signing-keys.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl, newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const clientSecret = generateClientSecret(randomBytes);

const acme: RegisteredClient = {
  organisation_id: 'umbrella',
  status: 'active',
  scopes: ['sync:create', 'volume:read'],
  allow_from: ['2001:db8::/48', '192.0.2.0/29'],
  secrets: [{ secret_id: 'only', sha256: digestClientSecret(clientSecret).toString('hex') }],
};
const clients: Readonly<Record<string, RegisteredClient>> = {
  acme,
  revoked: { ...acme, status: 'revoked', suspended_at: noon.toISOString() },
  suspended: { ...acme, suspended_at: noon.toISOString() },
  elsewhere: { ...acme, allow_from: ['192.0.2.8/29'] },
  ended: endingAt(noon.toISOString()),
};

function endingAt(ends_at: string): RegisteredClient {
  return { ...acme, secrets: acme.secrets.map((secret) => ({ ...secret, ends_at })) };
}

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
  const requestContext = { requestId: 'request-1', http: { sourceIp: '192.0.2.7' } };
  return httpEvent({
    routeKey: 'POST /oauth/token',
    headers: { ...type, ...headers },
    body,
    requestContext,
  });
}

async function send(
  form: string,
  headers: Record<string, string> = {},
  overrides: Partial<TokenDependencies> = {},
) {
  const setup = setUp(overrides);
  const response = await setup.handler(request(form, headers));
  return { ...setup, response, body: bodyOf(response) };
}

const scope = 'volume:read sync:create';

describe('POST /oauth/token grants', () => {
  test('a token to a client that authenticates by Basic', async () => {
    const { response, body } = await send(grant, basic('acme', clientSecret));
    expect(response.statusCode).toBe(200);
    // RFC 6749 section 5.1
    const access_token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(body).toEqual({ access_token, token_type: 'Bearer', expires_in: 3600, scope });
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
  });

  test('a token that the log and the metrics show', async () => {
    const { lines, values } = await send(post, {}, { keysAge: () => 86_400_000 });
    const ids = { request_id: 'request-1', client_id: 'acme', organisation_id: 'umbrella' };
    expect(lines).toEqual([{ level: 'INFO', message: 'tokenIssued', ...ids, scope, secret_id: 'only' }]);
    // The age of the keys is in seconds.
    expect(values).toEqual([{ TokensIssued: 1, SigningKeysAge: 86_400 }]);
  });

  test.for([
    ['in 30 days', 0, 1],
    ['a millisecond later', 1, undefined],
  ] as const)('a token for a secret that ends %s', async ([, later, SecretsEnding]) => {
    const end = new Date(noon.getTime() + 30 * 86_400_000 + later).toISOString();
    const { lines, values } = await send(post, {}, { readClient: async () => endingAt(end) });
    expect(lines[0]?.secret_ends_at).toBe(SecretsEnding && end);
    expect(values).toEqual([{ TokensIssued: 1, SecretsEnding }]);
  });

  test('a JWT of RFC 9068 that the published key verifies', async () => {
    // Whole seconds, so that it is never from the future.
    const { body } = await send(post, {}, { now: () => noon.getTime() + 999 });
    const keys = createLocalJWKSet({ keys: [publicJwk(key)] });
    const verified = await jwtVerify(String(body.access_token), keys, { currentDate: noon });
    const iat = noon.getTime() / 1000;
    expect(verified.protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: key.kid });
    expect(verified.payload).toEqual({
      iss: baseUrl,
      aud: baseUrl,
      sub: 'acme',
      client_id: 'acme',
      organisation_id: 'umbrella',
      scope,
      iat,
      exp: iat + 3600,
      jti: 'token-id',
      allow_from: acme.allow_from,
    });
  });
});

const missing = ['invalid_request', 'grant_type is missing'] as const;
const unsupported = ['unsupported_grant_type', 'The only grant type is client_credentials'] as const;

/** An id in the format of the command line. Other ids are logged only if a client uses them. */
const madeId = `client_${'0'.repeat(26)}`;

/** Reason in the log, reason in the metrics, and number of reads of the table. */
type RejectedCase = readonly [reason: string, Reason: string, reads: number];
const malformed = 'malformed_credentials';
const mistyped: RejectedCase = ['The client secret is mistyped: its form or checksum is wrong', malformed, 0];
const unknown: RejectedCase = ['There is no such client', 'unknown_client', 1];

describe('POST /oauth/token rejects', () => {
  test.for([
    [`${grant}&x=%zz`, 'invalid_request', 'The body must be percent-encoded UTF-8'],
    ['', ...missing],
    ['grant_type=&scope=a', ...missing],
    // A byte order mark is part of the first name.
    [`%EF%BB%BF${grant}`, ...missing],
    ['grant_type=password', ...unsupported],
    ['grant_type=Client_Credentials', ...unsupported],
    ['grant_type=client_credentials+', ...unsupported],
  ])('the form %j before it reads a client', async ([form, error, error_description]) => {
    const { response, body, lines, values, reads } = await send(`${form}`);
    expect([response.statusCode, body]).toEqual([400, { error, error_description }]);
    expect(response.headers).not.toHaveProperty('www-authenticate');
    expect(values).toEqual([{ TokensRejected: 1, Reason: error }]);
    expect(lines).toEqual([expect.not.objectContaining({ client_id: expect.anything() })]);
    expect(reads).toEqual([]);
  });

  test('a scope that the client does not have', async () => {
    const { response, body, lines, values } = await send(`${post}&scope=volume:read+admin`);
    expect(response.statusCode).toBe(400);
    expect(body).toEqual({ error: 'invalid_scope', error_description: expect.any(String) });
    // The log contains the client id, and the response does not.
    expect(response.body).not.toContain('umbrella');
    const client = { client_id: 'acme', organisation_id: 'umbrella' };
    expect(lines).toEqual([expect.objectContaining({ rejection: 'invalid_scope', ...client })]);
    expect(values).toEqual([{ TokensRejected: 1, Reason: 'invalid_scope' }]);
  });

  test.for<[name: string, id: string, secret: string, rejected: RejectedCase, logged?: string]>([
    ['without an id', '', clientSecret, ['The request has no well-formed credentials', malformed, 0]],
    ['that is unknown', madeId, clientSecret, unknown, madeId],
    ['whose id the command line does not make', 'nobody', clientSecret, unknown],
    ['that is revoked', 'revoked', clientSecret, ['The client is revoked', 'revoked_client', 1], 'revoked'],
    [
      'that is suspended',
      'suspended',
      clientSecret,
      ['The client is suspended', 'suspended_client', 1],
      'suspended',
    ],
    [
      'with the secret of another',
      'acme',
      generateClientSecret(randomBytes),
      ['The client secret is wrong', 'wrong_secret', 1],
      'acme',
    ],
    [
      'at an address outside its ranges',
      'elsewhere',
      clientSecret,
      ['The address may not use this client', 'address_not_allowed', 1],
      'elsewhere',
    ],
    // The secret is more telling than the address.
    [
      'at such an address, with the secret of another',
      'elsewhere',
      generateClientSecret(randomBytes),
      ['The client secret is wrong', 'wrong_secret', 1],
      'elsewhere',
    ],
    [
      'whose secret ends now',
      'ended',
      clientSecret,
      ['The client secret has ended', 'ended_secret', 1],
      'ended',
    ],
    ['that is unknown, with a mistyped secret', madeId, 'secret', mistyped, madeId],
    ['with a mistyped secret', 'acme', `${clientSecret.slice(0, -1)}!`, mistyped],
    ['that sends its secret as its id', clientSecret, 'acme', mistyped],
    [
      'with a line break in its id',
      'a\nb',
      clientSecret,
      ['The client id has a form that no client id has', malformed, 0],
    ],
    // `test/contract/data/identifiers.test.ts` covers the other formats.
  ])('a client %s with the same response', async ([, id, text, [reason, Reason, count], logged]) => {
    const { response, body, lines, values, reads } = await send(grant, basic(id, text));
    expect(response.statusCode).toBe(401);
    expect(response.headers).toMatchObject({
      'www-authenticate': 'Basic realm="file-sync-api", charset="UTF-8"',
      'cache-control': 'no-store',
    });
    const description = 'The client id or client secret is missing or wrong, or the client is revoked';
    expect(body).toEqual({ error: 'invalid_client', error_description: description });
    expect(lines).toEqual([expect.objectContaining({ message: 'tokenRejected', status: 401, reason })]);
    expect(lines[0]?.client_id).toBe(logged);
    expect(values).toEqual([{ TokensRejected: 1, Reason }]);
    expect(reads).toHaveLength(count);
  });
});

describe('POST /oauth/token', () => {
  test('logs no issued token after it responded with 500', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let letGo: (key: SignToken) => void = () => undefined;
    const late = new Promise<SignToken>((resolve) => {
      letGo = resolve;
    });
    const currentKey = vi.fn(() => late);
    const { handler, lines } = setUp({ respondWithinMilliseconds: 20, currentKey });
    const first = handler(request(post));
    await vi.waitFor(() => expect(currentKey).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(20);
    expect((await first).statusCode).toBe(500);
    letGo(sign);
    // The rest of the first request runs while this one is served.
    expect((await handler(request(post))).statusCode).toBe(200);
    expect(lines.map(({ message }) => message)).toEqual(['requestFailed', 'tokenIssued']);
  });

  test('responds with 500 without detail when the database fails', async () => {
    const readClient = async () => Promise.reject(new Error('hush'));
    const { response, lines } = await send(post, {}, { readClient });
    expect([response.statusCode, header(response, 'cache-control')]).toEqual([500, 'no-store']);
    expect(JSON.stringify([response, lines])).not.toMatch(/hush|fss_/);
  });
});
