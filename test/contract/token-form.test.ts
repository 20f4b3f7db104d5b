import { expect } from 'vitest';
import { api, test } from './support/test.ts';
import { basic, errorOf, formType, grant, requestToken, tokenResponse } from './support/token-request.ts';

/** docs/api.md section 3: grant type and form of the request. RFC 6749 section 3.2, appendix B. */

test.for(['authorization_code', 'password', 'refresh_token', 'CLIENT_CREDENTIALS', ' client_credentials'])(
  '[3.6] [4.3] refuses the grant type %j',
  async (grantType, { client }) => {
    const answer = await requestToken(api, {
      authorization: basic(client),
      form: [['grant_type', grantType]],
    });
    expect([answer.status, errorOf(answer)]).toEqual([400, 'unsupported_grant_type']);
  },
);

test.for([
  ['no parameter', ''],
  ['an empty one', 'grant_type='],
  ['a name alone', 'grant_type'],
] as const)('[3.7] [3.14] refuses %s', async ([, form], { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test.for([
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/x-www-form-urlencoded-not',
  'application/x-www-form-urlencoded, application/json',
])('[3.1] refuses the content type %s', async (contentType, { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant], contentType });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test('[3.1] refuses a request without a content type', async ({ client }) => {
  const answer = await requestToken(api, {
    authorization: basic(client),
    form: [grant],
    contentType: null,
  });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test.for([`${formType}; charset=utf-8`, `${formType};charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])(
  '[3.1] takes the content type %s',
  async (contentType, { client }) => {
    const answer = await requestToken(api, { authorization: basic(client), form: [grant], contentType });
    expect(answer.status).toBe(200);
  },
);

test.for([
  ['grant_type', 'grant_type=client_credentials&grant_type=client_credentials'],
  ['scope', 'grant_type=client_credentials&scope=volume:read&scope=sync:create'],
  ['client_id', 'grant_type=client_credentials&client_id=a&client_id=a'],
  ['client_secret', 'grant_type=client_credentials&client_secret=a&client_secret=b'],
  ['a name written in two ways', 'grant_type=client_credentials&sc%6Fpe=volume:read&scope=volume:read'],
] as const)('[3.13] refuses a repeated %s', async ([, form], { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test('[3.14] takes an empty scope as none', async ({ client }) => {
  const form = 'grant_type=client_credentials&scope=&resource';
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect(tokenResponse(answer).scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test('[3.14] takes empty form credentials beside Basic as none', async ({ client }) => {
  const form = 'grant_type=client_credentials&client_id=&client_secret=';
  expect((await requestToken(api, { authorization: basic(client), form })).status).toBe(200);
});

test('[3.15] ignores parameters that it does not know', async ({ client }) => {
  const form = [grant, ['resource', 'https://example.com'], ['émile', '✓'], ['__proto__', 'x']] as const;
  expect((await requestToken(api, { authorization: basic(client), form })).status).toBe(200);
});

test.for([
  ['raw bytes', Buffer.concat([Buffer.from('grant_type=client_credentials&x='), Buffer.from([0xff, 0xfe])])],
  [
    'an overlong form',
    Buffer.concat([Buffer.from('grant_type=client_credentials&x='), Buffer.from([0xc0, 0xaf])]),
  ],
  ['percent-encoded bytes', 'grant_type=client_credentials&x=%FF%FE'],
  ['a lone surrogate', 'grant_type=client_credentials&x=%ED%A0%80'],
] as const)('[3.16] refuses %s that are not UTF-8', async ([, form], { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test('[3.17] takes a body of 16 KiB', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: padded(16 * 1024) });
  expect(answer.status).toBe(200);
});

test.for([16 * 1024 + 1, 1024 * 1024])('[3.17] refuses a body of %i bytes', async (size, { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: padded(size) });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test.for(['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'])(
  '[3.18] does not serve %s',
  async (method, { client }) => {
    const answer = await api.call({
      method,
      path: '/oauth/token',
      headers: { authorization: basic(client) },
    });
    expect(answer.status).toBe(404);
  },
);

test.for([
  ['its form before its way of authenticating', 'both', 'x=%FF', 'invalid_request'],
  ['its way of authenticating before the grant type', 'both', 'grant_type=password', 'invalid_request'],
  ['the grant type before the client', 'none', 'grant_type=password', 'unsupported_grant_type'],
  ['the client before the scope', 'none', 'grant_type=client_credentials&scope=x', 'invalid_client'],
] as const)('[3.19] checks %s', async ([, credentials, form, error], { client }) => {
  const both = { authorization: basic(client), form: `${form}&client_secret=another` };
  const answer = await requestToken(api, credentials === 'both' ? both : { form });
  expect([answer.status, errorOf(answer)]).toEqual([error === 'invalid_client' ? 401 : 400, error]);
});

function padded(size: number): string {
  const start = 'grant_type=client_credentials&padding=';
  return start + 'x'.repeat(size - start.length);
}
