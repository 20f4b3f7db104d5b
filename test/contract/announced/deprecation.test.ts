import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { connectApi } from '../support/api.ts';
import { bearer, type HttpResponse } from '../support/http.ts';

/** docs/api.md 13.4 and 13.5, on a deployment whose operator announced the end of v0. */

const context = { v0DeprecatedAt: '2026-01-31T10:00:00Z', v0SunsetAt: '2100-01-31T10:00:00Z' };
const announcement = ['@1769853600', 'Sun, 31 Jan 2100 10:00:00 GMT'];
const announcementOf = ({ headers }: HttpResponse) => [headers.deprecation, headers.sunset];

const stack = await useRunningStack({ context });
const api = connectApi(stack.baseUrl);
const { token, newFile } = await createApiUser(stack);
const file = await newFile();

test('[13.4] [13.5] every response under /v0 announces the end', async () => {
  const headers = bearer(token);
  const responses = await Promise.all([
    api.get('/v0/volumes', headers),
    api.call({ method: 'POST', path: `/v0/files/${file}/sync`, headers }),
    api.get('/v0/openapi.json'),
    api.get('/v0/openapi.json', { 'if-none-match': '*' }),
    api.get('/v0/volumes'),
    api.call({ method: 'POST', path: '/v0/files/some-file/sync', headers }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 304, 401, 404]);
  expect(responses.map(announcementOf)).toEqual(responses.map(() => announcement));
});

test('[13.4] no response but those of /v0 announces anything', async () => {
  const paths = ['/.well-known/openid-configuration', '/.well-known/jwks.json', '/v0/nowhere', '/v1/volumes'];
  const responses = await Promise.all(paths.map((path) => api.get(path)));
  responses.push(await api.call({ method: 'POST', path: '/oauth/token' }));
  expect(responses.map(announcementOf)).toEqual(responses.map(() => [undefined, undefined]));
});
