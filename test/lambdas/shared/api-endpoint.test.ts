import { syncResponses } from '../../../contract/bodies/sync.ts';
import { routes } from '../../../contract/routes.ts';
import {
  type ApiDependencies,
  type ApiEndpoint,
  createApiHandler,
} from '../../../lambdas/shared/http/api-endpoint.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { deprecationHeaders } from '../../../lambdas/shared/http/deprecation.ts';
import { volumesEndpoint } from '../../../lambdas/volumes/volumes-endpoint.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { recordingLog } from '../support/log.ts';

const authorised = httpEvent({ routeKey: 'GET /v0/volumes', headers: { authorization: 'Bearer token' } });

const caller = { clientId: 'c', organisationId: 'o', scopes: new Set(['volume:read', 'sync:create']) };

function serve(endpoint: ApiEndpoint<unknown>, change: Partial<ApiDependencies> = {}) {
  const { log, lines } = recordingLog();
  const dependencies = { verifyAccessToken: async () => caller, log, ...change };
  const handler = createApiHandler(routes.volumes.scope, endpoint, dependencies);
  return { handler, lines };
}

const holding = (...scopes: readonly string[]) => ({
  verifyAccessToken: async () => ({ ...caller, scopes: new Set(scopes) }),
});

function acting(act: () => Promise<unknown>): ApiEndpoint<unknown> {
  return { responses: syncResponses, act };
}

const internalError = { error: 'internal_error', error_description: expect.any(String) };

describe('API endpoint', () => {
  test('lists no volumes', async () => {
    expect(bodyOf(await serve(volumesEndpoint).handler(authorised))).toEqual({ data: [] });
  });

  test('logs why it rejected which request', async () => {
    const { handler, lines } = serve(volumesEndpoint);
    await handler({ ...authorised, headers: {} });
    const line = { level: 'WARN', message: 'requestRejected', request_id: 'request-1' };
    const reason = 'The request has no bearer token';
    const rejection = { route: authorised.routeKey, status: 401, rejection: 'no_token', reason };
    expect(lines).toEqual([{ ...line, ...rejection }]);
  });

  test('logs the problem of an invalid token as a code', async () => {
    const invalid = ApiError.invalidToken('wrong_claim', 'It is wrong', 'iss');
    const verifyAccessToken = () => Promise.reject(invalid);
    const { handler, lines } = serve(volumesEndpoint, { verifyAccessToken });
    expect((await handler(authorised)).body).toBe('{"message":"Unauthorized"}');
    const problem = { rejection: 'invalid_token', token_problem: 'wrong_claim', claim: 'iss' };
    expect(lines).toEqual([expect.objectContaining(problem)]);
  });

  test.for(['', 'sync:create', 'volume:reader'])('responds with 403 to the scope "%s"', async (scope) => {
    const { handler, lines } = serve(volumesEndpoint, holding(scope));
    const response = await handler(authorised);
    expect(response.statusCode).toBe(403);
    const error_description = expect.stringContaining('volume:read');
    expect(bodyOf(response)).toEqual({ error: 'insufficient_scope', error_description });
    const challenge = 'Bearer error="insufficient_scope", scope="volume:read"';
    expect(header(response, 'www-authenticate')).toBe(challenge);
    // Only the log names the client.
    const client = { client_id: 'c', organisation_id: 'o' };
    expect(lines).toEqual([expect.objectContaining({ rejection: 'insufficient_scope', ...client })]);
    expect(response.body).not.toMatch(/"[co]"/);
  });

  test.for([
    ['has more', 'data.secret', { data: { upload_url: 'https://a.invalid/', secret: 'hush' } }],
    ['lacks a member', 'data.upload_url', { data: {} }],
    ['is absent', '(body)', undefined],
  ] as const)('responds with 500 in place of a body that %s', async ([, path, body]) => {
    const { handler, lines } = serve(acting(async () => body));
    const response = await handler(authorised);
    expect([response.statusCode, bodyOf(response)]).toEqual([500, internalError]);
    const mismatches = [expect.objectContaining({ path })];
    const line = { message: 'responseMismatch', request_id: 'request-1', status: 200, mismatches };
    expect(lines).toEqual([expect.objectContaining(line)]);
    expect(JSON.stringify([response, lines])).not.toContain('hush');
  });

  test('responds with 500 in place of a rejection that it does not publish', async () => {
    const act = async () => Promise.reject(ApiError.fileNotFound(undefined));
    const { handler, lines } = serve({ ...volumesEndpoint, act });
    const response = await handler(authorised);
    expect([response.statusCode, bodyOf(response)]).toEqual([500, internalError]);
    expect(lines.at(-1)).toMatchObject({ level: 'ERROR', message: 'responseMismatch', status: 404 });
  });

  test('responds with 500 without detail to an unexpected failure', async () => {
    const { handler, lines } = serve(acting(async () => Promise.reject(new Error('password is hush'))));
    const response = await handler(authorised);
    expect([response.statusCode, bodyOf(response)]).toEqual([500, internalError]);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'ERROR', request_id: 'request-1', error_name: 'Error' }),
    ]);
    expect(JSON.stringify([response, lines])).not.toContain('hush');
  });

  test('responds with 500 in time when work hangs, verifying included', async () => {
    vi.useFakeTimers();
    const { handler, lines } = serve(
      acting(() => new Promise(() => undefined)),
      {
        verifyAccessToken: async () => {
          await vi.advanceTimersByTimeAsync(150);
          return caller;
        },
        respondWithinMilliseconds: 200,
      },
    );
    const responded = vi.fn();
    void handler(authorised).then(({ statusCode }) => responded(statusCode));
    await vi.advanceTimersByTimeAsync(49);
    expect(responded).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(responded).toHaveBeenCalledWith(500);
    expect(lines[0]?.error_name).toBe('DeadlineError');
  });

  // `test/contract/announced` covers the other responses.
  test('of a deprecated v0 announces its end on a 500 too', async () => {
    const headers = deprecationHeaders({ V0_DEPRECATED_AT: '2027-01-31T10:00:00Z' });
    const verifyAccessToken = async () => Promise.reject(new Error('no key set'));
    const response = await serve(volumesEndpoint, { verifyAccessToken, headers }).handler(authorised);
    expect(response.statusCode).toBe(500);
    expect(response.headers).toMatchObject({ ...headers, 'cache-control': 'no-store' });
  });
});

const [V0_DEPRECATED_AT, V0_SUNSET_AT] = ['2027-01-31T10:00:00Z', '2028-01-31T10:00:00Z'];
const [deprecation, sunset] = ['@1801389600', 'Mon, 31 Jan 2028 10:00:00 GMT'];

test.for([
  [
    { V0_DEPRECATED_AT, V0_SUNSET_AT },
    { deprecation, sunset },
  ],
  [{ V0_DEPRECATED_AT }, { deprecation }],
  [{ V0_SUNSET_AT }, { sunset }],
  [{ V0_SUNSET_AT: '' }, {}],
])('%j is announced by RFC 9745 and RFC 8594: %j', ([environment, headers]) => {
  expect(deprecationHeaders(environment)).toEqual(headers);
});
