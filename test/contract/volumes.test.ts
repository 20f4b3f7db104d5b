import { bearer, challengeOf } from './support/http.ts';
import { api, test } from './support/test.ts';
import { byBasic, grant, requestToken, tokenResponse } from './support/token-request.ts';

/** docs/api.md section 7. */

test('[7.2] [7.4] [1.3] lists no volumes', async ({ token }) => {
  const response = await api.get('/v0/volumes', bearer(token));
  expect([response.status, response.text]).toEqual([200, '{"data":[]}']);
  expect(response.headers['content-type']).toMatch(/^application\/json(;|$)/);
});

test('[7.1] [6.11] [11.2] rejects a token without volume:read', async ({ client }) => {
  const form = [grant, ['scope', 'sync:create']] as const;
  const { access_token } = tokenResponse(await requestToken(byBasic(client, form)));
  const response = await api.get('/v0/volumes', bearer(access_token));
  expect(response.status).toBe(403);
  expect(JSON.parse(response.text)).toEqual({
    error: 'insufficient_scope',
    error_description: expect.stringContaining('volume:read'),
  });
  expect(challengeOf(response)).toMatch(/^Bearer .*error="insufficient_scope".*scope="volume:read"/);
});

test('[7.2] ignores query parameters', async ({ token }) => {
  const response = await api.get('/v0/volumes?limit=1&limit=2&x=%00', bearer(token));
  expect([response.status, response.text]).toEqual([200, '{"data":[]}']);
});
