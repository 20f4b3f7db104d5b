import { openapiDocument } from '../../../contract/openapi/document.ts';
import {
  createWellKnownHandler,
  type WellKnownDependencies,
} from '../../../lambdas/well-known/well-known-endpoint.ts';
import { type KeySet, type PrivateJwk, type PublicJwk, publicJwk } from '../../../storage/signing-keys.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl, newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const discovery = 'GET /.well-known/openid-configuration';
const jwks = 'GET /.well-known/jwks.json';
const openapi = 'GET /v0/openapi.json';

let keys: readonly PrivateJwk[];
let keySet: KeySet;

beforeAll(async () => {
  keys = await Promise.all([newKey(), newKey('RS256'), newKey(), newKey()]);
  const since = noon.toISOString();
  const later = new Date(noon.getTime() + 1).toISOString();
  const [next, current, retired, gone] = keys.map(publicJwk) as [PublicJwk, PublicJwk, PublicJwk, PublicJwk];
  keySet = {
    keys: [
      { jwk: next, state: 'next', since, usable_from: later },
      { jwk: current, state: 'current', since },
      { jwk: retired, state: 'retired', since, until: later },
      { jwk: gone, state: 'retired', since, until: since },
    ],
  };
});

function setUp(change: Partial<WellKnownDependencies> = {}) {
  const { log, lines } = recordingLog();
  const readKeySet = vi.fn(async () => keySet);
  const handler = createWellKnownHandler({
    baseUrl,
    documentationUrl: undefined,
    description: openapiDocument(),
    keySet: readKeySet,
    now: () => noon.getTime(),
    log,
    ...change,
  });
  const get = (routeKey: string, ifNoneMatch?: string) =>
    handler(httpEvent({ routeKey, headers: { 'if-none-match': ifNoneMatch } }));
  return { get, lines, readKeySet };
}

describe('issuer metadata', () => {
  test('has every member that Discovery 1.0 section 3 requires', async () => {
    expect(bodyOf(await setUp().get(discovery))).toEqual({
      issuer: baseUrl,
      token_endpoint: `${baseUrl}/oauth/token`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: ['volume:read', 'sync:create'],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: [],
      subject_types_supported: ['public'],
      // Discovery requires RS256 here, regardless of the deployment's algorithm.
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256']),
      claims_supported: ['iss', 'aud', 'sub', 'client_id', 'organisation_id', 'scope', 'iat', 'exp', 'jti'],
      // Discovery interprets an absent member as true.
      request_uri_parameter_supported: false,
    });
  });

  test('names the page for people if the deployment has one', async () => {
    const documentationUrl = 'https://docs.example.com/files';
    const metadata = bodyOf(await setUp({ documentationUrl }).get(discovery));
    expect(metadata.service_documentation).toBe(documentationUrl);
  });
});

describe('key set', () => {
  test('contains the current, next and still needed retired keys of each request', async () => {
    const [next, current, retired] = keys.map(publicJwk);
    const now = vi.fn(() => noon.getTime());
    const { get } = setUp({ now });
    expect(bodyOf(await get(jwks))).toEqual({ keys: [current, next, retired] });
    now.mockReturnValue(noon.getTime() + 1);
    expect(bodyOf(await get(jwks))).toEqual({ keys: [current, next] });
  });

  test.for<[name: string, error_name: string, change: Partial<WellKnownDependencies>]>([
    ['read', 'Error', { keySet: async () => Promise.reject(new Error('down')) }],
    [
      'read in time',
      'DeadlineError',
      { keySet: () => new Promise(() => undefined), respondWithinMilliseconds: 20 },
    ],
  ])('that cannot be %s becomes an uncached 500', async ([, error_name, change]) => {
    const { get, lines } = setUp(change);
    const response = await get(jwks);
    expect([response.statusCode, bodyOf(response).error]).toEqual([500, 'internal_error']);
    expect(header(response, 'cache-control')).toBe('no-store');
    expect(lines).toEqual([expect.objectContaining({ error_name })]);
  });

  test('is not read for other documents and unknown routes', async () => {
    const { get, readKeySet } = setUp();
    await get(discovery);
    await get(openapi);
    expect((await get('GET /nowhere')).statusCode).toBe(500);
    expect(readKeySet).not.toHaveBeenCalled();
  });
});

test('the API description marks the operations of a deprecated v0', async () => {
  const headers = { deprecation: '@1801389600', sunset: 'Mon, 31 Jan 2028 10:00:00 GMT' };
  const { get } = setUp({ headers });
  const response = await get(openapi);
  expect(response.headers).toMatchObject(headers);
  const { paths } = bodyOf(response) as { paths: Record<string, Record<string, { deprecated?: boolean }>> };
  const isMarked = (path: string) => Object.values(paths[path] ?? {}).some((it) => it.deprecated);
  const described = Object.keys(openapiDocument().paths);
  expect(Object.keys(paths)).toEqual(described);
  expect(described.filter(isMarked)).toEqual(described.filter((path) => path.startsWith('/v0/')));
  expect((await get(jwks)).headers).not.toHaveProperty('deprecation');
  expect((await setUp().get(openapi)).body).not.toContain('"deprecated"');
});

describe('a document that a client has cached', () => {
  test.for([discovery, jwks, openapi])('has a strong entity tag that stays: %s', async (route) => {
    const { get } = setUp();
    const [first, second] = [await get(route), await get(route)];
    const etag = header(first, 'etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(header(second, 'etag')).toBe(etag);
    const headers = { 'content-type': 'application/json', etag, 'cache-control': 'public, max-age=300' };
    expect(first.headers).toEqual(headers);
    expect(await get(route, etag)).toEqual({ statusCode: 304, headers });
  });

  /** Returns the status for this value of If-None-Match, in which `%s` is the tag without its quotes. */
  async function statusFor(value: string) {
    const { get } = setUp();
    const etag = header(await get(jwks), 'etag') ?? '';
    return (await get(jwks, value.replace('%s', etag.slice(1, -1)))).statusCode;
  }

  /** RFC 9110 section 13.1.2 */
  test.for(['W/"%s"', '"other", "%s"', '"a,b" ,W/"x",  W/"%s" ', '*'])(
    'is not sent again to If-None-Match: %j',
    async (value) => {
      expect(await statusFor(value)).toBe(304);
    },
  );

  // `*` is a separate value, and never a member of a list.
  test.for(['"other"', '', '"*"', '*, "x", "%s"', '%s', '"W/%s"', '"%s"W/', 'W/W/"%s"', 'x"%s"'])(
    'is sent again to If-None-Match: %j',
    async (value) => {
      expect(await statusFor(value)).toBe(200);
    },
  );
});
