import { bearer } from './support/http.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md 1.2 and section 14: only the listed endpoints exist. API Gateway responds to all other
 * requests.
 */

test.for([
  ...[
    'GET /',
    'GET /v0',
    'GET /v0/',
    'GET /volumes',
    'GET /v0/volumes/one',
    'GET /V0/VOLUMES',
    'GET /v1/volumes',
  ],
  ...[
    'POST /v0/files/some-file',
    'POST /v0/files/a/b/sync',
    'GET /v0/files',
    'GET /v0/files/some-file/content',
  ],
  ...['POST /v0/clients', 'POST /oauth/register', 'POST /v0/files', 'PATCH /v0/files/a', 'GET /v0/files/a'],
  ...['GET /oauth/authorize', 'POST /oauth/authorize', 'POST /oauth/device_authorization'],
  ...['POST /oauth/revoke', 'POST /oauth/introspect', 'POST /v0/webhooks', 'GET /v0/events'],
  ...['POST /v0/volumes', 'DELETE /v0/volumes', 'GET /v0/files/a/sync', 'PUT /v0/files/a/sync'],
  ...['POST /v0/openapi.json', 'POST /.well-known/jwks.json', 'PUT /.well-known/openid-configuration'],
  'HEAD /v0/volumes',
])(
  '[1.2] [11.7] [13.1] [14.2] [14.3] [14.5] [14.7] [14.8] serves nothing else: %s',
  async (endpoint, { token }) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const { status, text } = await api.call({ method, path, headers: bearer(token) });
    expect([status, text]).toEqual([404, method === 'HEAD' ? '' : '{"message":"Not Found"}']);
  },
);

test('[1.5] names each request in its response', async ({ token }) => {
  const responses = await Promise.all([
    api.get('/v0/volumes', bearer(token)),
    api.get('/v0/volumes'),
    api.get('/.well-known/jwks.json'),
    api.get('/nowhere'),
  ]);
  const names = responses.map((response) => response.headers['apigw-requestid']);
  expect(names).toEqual(responses.map(() => expect.stringMatching(/./)));
  expect(new Set(names).size).toBe(responses.length);
});

test('[11.8] has API Gateway reject a body above 10 MB', async () => {
  const body = Buffer.alloc(10 * 1024 * 1024 + 1);
  const response = await api.ask({ method: 'POST', path: '/oauth/token', body });
  expect(response.status).toBe(413);
});

test.for(['/v0/volumes', '/v0/files/some-file/sync', '/oauth/token'])(
  '[14.1] does not respond to a preflight of %s',
  async (path) => {
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    expect((await api.call({ method: 'OPTIONS', path, headers })).status).toBe(404);
  },
);

// Every response is checked for CORS headers.
test('[14.1] sends no CORS header to a page of another origin', async ({ token }) => {
  const headers = { origin: 'https://app.example.com', ...bearer(token) };
  expect((await api.get('/v0/volumes', headers)).status).toBe(200);
});

test.for([
  ['takes', 8000, 200],
  ['rejects', 11_000, 431],
] as const)('[12.3] [11.8] %s a header of %i bytes', async ([, size, status], { token }) => {
  const headers = { 'x-padding': 'x'.repeat(size), ...bearer(token) };
  expect((await api.ask({ method: 'GET', path: '/v0/volumes', headers })).status).toBe(status);
});
