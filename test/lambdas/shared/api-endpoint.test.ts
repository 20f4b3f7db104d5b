import { describe, expect, test, vi } from 'vitest';
import { syncAnswers } from '../../../contract/bodies.ts';
import { type ApiEndpoint, createApiHandler } from '../../../lambdas/shared/http/api-endpoint.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { volumesEndpoint } from '../../../lambdas/volumes/volumes-endpoint.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { recordingLog } from '../support/log.ts';

const authorised = httpEvent({ routeKey: 'GET /v0/volumes', headers: { authorization: 'Bearer token' } });

function serve(
  endpoint: ApiEndpoint<unknown>,
  scopes = ['volume:read', 'sync:create'],
  limits: { readonly answerWithinMilliseconds?: number } = {},
) {
  const { log, lines } = recordingLog();
  const handler = createApiHandler(endpoint, {
    verifyAccessToken: async () => ({ clientId: 'c', organisationId: 'o', scopes: new Set(scopes) }),
    log,
    ...limits,
  });
  return { handler, lines };
}

function acting(act: () => Promise<unknown>): ApiEndpoint<unknown> {
  return { requiredScope: 'sync:create', answers: syncAnswers, act };
}

describe('API endpoint', () => {
  test('without a token answers 401 with exactly the contract body', async () => {
    const answer = await serve(volumesEndpoint).handler(httpEvent());
    expect(answer).toMatchObject({ statusCode: 401, body: '{"message":"Unauthorized"}' });
    expect(header(answer, 'www-authenticate')).toMatch(/^Bearer /);
  });

  test('a token outside of the Authorization header is no token (RFC 6750 section 2)', async () => {
    const event = {
      ...httpEvent(),
      queryStringParameters: { access_token: 'token' },
      body: 'access_token=token',
    };
    expect((await serve(volumesEndpoint).handler(event)).statusCode).toBe(401);
  });

  test('without the scope answers 403 that names the required one in body and challenge', async () => {
    for (const scope of ['', 'sync:create', 'volume:reader']) {
      const answer = await serve(volumesEndpoint, [scope]).handler(authorised);
      expect(answer.statusCode, scope).toBe(403);
      expect(bodyOf(answer)).toEqual({
        error: 'insufficient_scope',
        error_description: expect.stringContaining('volume:read'),
      });
      const challenge = 'Bearer error="insufficient_scope", scope="volume:read"';
      expect(header(answer, 'www-authenticate')).toBe(challenge);
    }
  });

  test('an answer that is not as published becomes 500, logged without its content', async () => {
    for (const [path, body] of [
      ['data.secret', { data: { upload_url: 'https://a.invalid/', secret: 'hush' } }],
      ['data.upload_url', { data: {} }],
      ['data.upload_url', { data: { upload_url: 42 } }],
      ['data.upload_url', { data: { upload_url: 'hush' } }],
      ['(body)', undefined],
    ] as const) {
      const { handler, lines } = serve(acting(async () => body));
      const answer = await handler(authorised);
      expect(answer.statusCode).toBe(500);
      expect(bodyOf(answer)).toEqual({ error: 'internal_error', error_description: expect.any(String) });
      expect(lines).toEqual([
        expect.objectContaining({
          message: 'answerMismatch',
          request_id: 'request-1',
          status: 200,
          mismatches: [expect.objectContaining({ path })],
        }),
      ]);
      expect(JSON.stringify([answer, lines])).not.toContain('hush');
    }
  });

  test('a refusal that the endpoint does not publish becomes 500 too', async () => {
    const { handler, lines } = serve({
      ...volumesEndpoint,
      act: async () => Promise.reject(ApiError.fileNotFound()),
    });
    const answer = await handler(authorised);
    expect([answer.statusCode, bodyOf(answer).error]).toEqual([500, 'internal_error']);
    expect(lines.at(-1)).toMatchObject({ level: 'ERROR', message: 'answerMismatch', status: 404 });
  });

  test('a refusal is logged with its reason and the request id', async () => {
    const { handler, lines } = serve(volumesEndpoint);
    expect((await handler({ ...authorised, headers: {} })).statusCode).toBe(401);
    expect(lines).toEqual([
      {
        level: 'WARN',
        message: 'requestRefused',
        request_id: 'request-1',
        route: authorised.routeKey,
        status: 401,
        refusal: 'no_token',
        reason: 'The request has no bearer token',
      },
    ]);
  });

  test('a refusal names the client of the verified token in the log, and not in the answer', async () => {
    for (const [refusal, endpoint] of [
      ['insufficient_scope', volumesEndpoint],
      ['not_found', acting(async () => Promise.reject(ApiError.fileNotFound()))],
      ['sync_not_enabled', acting(async () => Promise.reject(ApiError.syncNotEnabled()))],
    ] as const) {
      const { handler, lines } = serve(endpoint as ApiEndpoint<unknown>, ['sync:create']);
      const answer = await handler(authorised);
      expect(lines).toEqual([expect.objectContaining({ refusal, client_id: 'c', organisation_id: 'o' })]);
      expect(answer.body).not.toMatch(/"[co]"/);
    }
  });

  test('an unexpected failure becomes 500 without detail, and one line with the request id', async () => {
    const { handler, lines } = serve(acting(async () => Promise.reject(new Error('password is hush'))));
    const answer = await handler(authorised);
    expect(answer.statusCode).toBe(500);
    expect(bodyOf(answer)).toEqual({ error: 'internal_error', error_description: expect.any(String) });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'ERROR', request_id: 'request-1', error_name: 'Error' });
    expect(JSON.stringify([answer, lines])).not.toContain('hush');
  });

  test('work that hangs is answered with 500 in time', async () => {
    const { handler, lines } = serve(
      acting(() => new Promise(() => undefined)),
      undefined,
      { answerWithinMilliseconds: 50 },
    );
    expect((await handler(authorised)).statusCode).toBe(500);
    expect(lines[0]?.error_name).toBe('DeadlineError');
  });

  test('the time that verifying took is taken from that of the work', async () => {
    const { log, lines } = recordingLog();
    const limit = 200;
    const verifying = 150;
    let startedAt = 0;
    let ended: { readonly after: number } | undefined;
    const handler = createApiHandler(
      acting(() => new Promise(() => undefined)),
      {
        verifyAccessToken: async () => {
          startedAt = performance.now();
          await vi.advanceTimersByTimeAsync(verifying);
          return { clientId: 'c', organisationId: 'o', scopes: new Set(['sync:create']) };
        },
        log,
        answerWithinMilliseconds: limit,
      },
    );
    vi.useFakeTimers();
    try {
      const answer = handler(authorised).then(({ statusCode }) => {
        ended = { after: performance.now() - startedAt };
        return statusCode;
      });
      await vi.advanceTimersByTimeAsync(limit - verifying - 1);
      expect(ended).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(await answer).toBe(500);
      expect(ended).toEqual({ after: limit });
      expect(lines[0]?.error_name).toBe('DeadlineError');
    } finally {
      vi.useRealTimers();
    }
  });
});
