import { api, test } from './support/test.ts';
import {
  basic,
  basicOf,
  byBasic,
  formType,
  grant,
  grantOnly,
  outcomeOf,
  post,
  requestToken,
  tokenResponse,
} from './support/token-request.ts';

/**
 * docs/api.md section 3. RFC 6749 sections 2.3 and 3. `test/lambdas/token` covers every malformed form and
 * credential. These tests send the malformed requests that API Gateway could change on the way.
 */

test('[3.1] accepts a content type with a charset', async ({ client }) => {
  const contentType = 'Application/X-WWW-Form-Urlencoded; charset=ISO-8859-1';
  expect(await outcomeOf({ ...byBasic(client), contentType })).toBe('200');
});

test.for(['application/json', null])('[3.1] rejects the content type %s', async (contentType, { client }) => {
  const request = { ...byBasic(client), contentType };
  expect(await outcomeOf(request)).toBe('400 invalid_request');
});

test('[3.2] accepts Basic credentials that are form-urlencoded', async ({ client }) => {
  const escaped = (text: string) => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const authorization = basicOf(`${escaped(client.clientId)}:${escaped(client.clientSecret)}`);
  expect(await outcomeOf({ authorization, form: [grant] })).toBe('200');
});

test('[3.3] accepts form credentials', async ({ client }) => {
  expect(await outcomeOf({ form: [grant, ...post(client)] })).toBe('200');
});

test('[3.4] rejects two methods of authentication', async ({ client }) => {
  const request = byBasic(client, [grant, ...post(client)]);
  expect(await outcomeOf(request)).toBe('400 invalid_request');
});

test('[3.5] does not read credentials from the query', async ({ client }) => {
  const query = new URLSearchParams(Object.fromEntries([grant, ...post(client)]));
  const response = await api.call({
    method: 'POST',
    path: `/oauth/token?${query}`,
    headers: { 'content-type': formType },
    body: grantOnly,
  });
  expect(response.status).toBe(401);
});

test.for(['refresh_token', ' client_credentials'])(
  '[3.6] [4.3] rejects the grant type %o',
  async (type, { client }) => {
    const request = byBasic(client, [['grant_type', type]]);
    expect(await outcomeOf(request)).toBe('400 unsupported_grant_type');
  },
);

test.for(['', 'grant_type=', 'grant_type'])(
  '[3.7] [3.14] rejects no grant type: "%s"',
  async (form, { client }) => {
    expect(await outcomeOf(byBasic(client, form))).toBe('400 invalid_request');
  },
);

test('[3.8] grants every scope that the client may request', async ({ client }) => {
  const response = await requestToken(byBasic(client));
  expect(tokenResponse(response).scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test.for([
  ['sync:create volume:read', ['sync:create', 'volume:read']],
  ['volume:read volume:read', ['volume:read']],
] as const)('[3.9] [3.10] grants for "%s" each listed scope once', async ([scope, granted], { client }) => {
  const form = [grant, ['scope', scope]] as const;
  const response = await requestToken(byBasic(client, form));
  expect(tokenResponse(response).scope.split(' ').sort()).toEqual(granted);
});

test('[3.11] rejects a scope that the client does not have', async ({ reader }) => {
  const form = [grant, ['scope', 'volume:read sync:create']] as const;
  expect(await outcomeOf(byBasic(reader, form))).toBe('400 invalid_scope');
});

test('[3.12] rejects a scope with another separator', async ({ client }) => {
  const form = [grant, ['scope', 'volume:read\tsync:create']] as const;
  expect(await outcomeOf(byBasic(client, form))).toBe('400 invalid_scope');
});

test.for(['sc%6Fpe=volume:read&scope=volume:read', 'x=1&x=1'])(
  '[3.13] rejects the repeated parameter in %s',
  async (more, { client }) => {
    const request = byBasic(client, `${grantOnly}&${more}`);
    expect(await outcomeOf(request)).toBe('400 invalid_request');
  },
);

test('[3.15] ignores parameters that it does not know', async ({ client }) => {
  const form = [grant, ['resource', 'https://example.com'], ['émile', '✓'], ['__proto__', 'x']] as const;
  expect(await outcomeOf(byBasic(client, form))).toBe('200');
});

test('[3.16] rejects other bytes, whatever the charset', async ({ client }) => {
  const form = Buffer.concat([Buffer.from(`${grantOnly}&x=caf`), Buffer.from([0xe9])]);
  const contentType = `${formType}; charset=ISO-8859-1`;
  expect(await outcomeOf({ authorization: basic(client), form, contentType })).toBe('400 invalid_request');
});

test.for([
  ['takes', 16 * 1024, '200'],
  ['rejects', 16 * 1024 + 1, '400 invalid_request'],
] as const)('[3.17] %s a body of %i bytes', async ([, size, outcome], { client }) => {
  const form = `${grantOnly}&padding=`.padEnd(size, 'x');
  expect(await outcomeOf(byBasic(client, form))).toBe(outcome);
});

test.for(['GET', 'HEAD'])('[3.18] does not serve %s', async (method, { client }) => {
  const headers = { authorization: basic(client) };
  expect((await api.call({ method, path: '/oauth/token', headers })).status).toBe(404);
});

test.for([
  ['the form', 'client_secret=a&grant_type=password&x=%FF', true, '400 invalid_request'],
  ['the methods', 'client_secret=a&grant_type=password', true, '400 invalid_request'],
  ['the grant type', 'grant_type=password', false, '400 unsupported_grant_type'],
  ['the client', `${grantOnly}&scope=x`, false, '401 invalid_client'],
] as const)(
  '[3.19] checks %s before later parts of the request',
  async ([, form, isBasic, outcome], { client }) => {
    const request = isBasic ? byBasic(client, form) : { form };
    expect(await outcomeOf(request)).toBe(outcome);
  },
);
