import { expect } from 'vitest';
import { api, culprits, test } from './support/test.ts';
import {
  basic,
  basicOf,
  formEncode,
  formType,
  grant,
  grantOnly,
  outcomeOf,
  post,
  requestToken,
  tokenResponse,
} from './support/token-request.ts';

/**
 * docs/api.md section 3. RFC 6749 sections 2.3 and 3. `test/lambdas/token` has every way to break a form or credentials;
 * here are the broken requests that API Gateway could change on the way.
 */

test('[3.1] takes a form of UTF-8, and no other content type', async ({ client }) => {
  const ask = (contentType: string | null) =>
    outcomeOf(api, { authorization: basic(client), form: [grant], contentType });
  const good = [
    `${formType}; charset=utf-8`,
    `${formType};charset=UTF-8`,
    'Application/X-WWW-Form-Urlencoded',
  ];
  expect(await culprits(good, '200', ask)).toEqual([]);
  const wrong = [
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    `${formType}-not`,
    null,
  ];
  expect(await culprits(wrong, '400 invalid_request', ask)).toEqual([]);
});

test('[3.2] takes Basic credentials, the scheme in any case, both parts form-urlencoded', async ({
  client,
}) => {
  const { clientId, clientSecret } = client;
  const escaped = (text: string) => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const authorizations = [
    basic(client),
    basic(client).replace('Basic', 'basic'),
    basic(client).replace('Basic', 'BASIC'),
    basicOf(`${escaped(clientId)}:${escaped(clientSecret)}`),
  ];
  const ask = (authorization: string) => outcomeOf(api, { authorization, form: [grant] });
  expect(await culprits(authorizations, '200', ask)).toEqual([]);
  const plus = basicOf(`${formEncode(clientId)}:${formEncode(clientSecret)}+`);
  expect(await ask(plus)).toBe('401 invalid_client');
});

test('[3.3] takes form credentials', async ({ client }) => {
  expect(await outcomeOf(api, { form: [grant, ...post(client)] })).toBe('200');
});

test('[3.4] takes one method of authentication, and beside Basic an equal client_id', async ({ client }) => {
  const ask = (...more: readonly (readonly [string, string])[]) =>
    outcomeOf(api, { authorization: basic(client), form: [grant, ...more] });
  expect(await ask(...post(client))).toBe('400 invalid_request');
  expect(await ask(['client_id', `${client.clientId}x`])).toBe('400 invalid_request');
  expect(await ask(['client_id', client.clientId])).toBe('200');
});

test('[3.5] does not read credentials from the query', async ({ client }) => {
  const query = new URLSearchParams(Object.fromEntries([grant, ...post(client)]));
  const answer = await api.call({
    method: 'POST',
    path: `/oauth/token?${query}`,
    headers: { 'content-type': formType },
    body: grantOnly,
  });
  expect(answer.status).toBe(401);
});

test('[3.6] [4.3] refuses every other grant type', async ({ client }) => {
  const types = [
    'authorization_code',
    'password',
    'refresh_token',
    'CLIENT_CREDENTIALS',
    ' client_credentials',
  ];
  const ask = (type: string) =>
    outcomeOf(api, { authorization: basic(client), form: [['grant_type', type]] });
  expect(await culprits(types, '400 unsupported_grant_type', ask)).toEqual([]);
});

test('[3.7] [3.14] refuses a request without a grant type, or with an empty one', async ({ client }) => {
  const ask = (form: string) => outcomeOf(api, { authorization: basic(client), form });
  expect(await culprits(['', 'grant_type=', 'grant_type'], '400 invalid_request', ask)).toEqual([]);
});

test('[3.8] grants every scope that the client may request, and no more', async ({ client, reader }) => {
  const scopeOf = async (credentials: typeof client) =>
    tokenResponse(await requestToken(api, { authorization: basic(credentials), form: [grant] })).scope;
  expect((await scopeOf(client)).split(' ').sort()).toEqual(['sync:create', 'volume:read']);
  expect(await scopeOf(reader)).toBe('volume:read');
});

test('[3.9] [3.10] grants the listed scopes alone, in any order, and a repeated one once', async ({
  client,
}) => {
  const ask = async (scope: string) => {
    const form = [grant, ['scope', scope]] as const;
    const answer = tokenResponse(await requestToken(api, { authorization: basic(client), form }));
    return answer.scope.split(' ').sort().join(' ');
  };
  expect(await ask('volume:read')).toBe('volume:read');
  expect(await ask('sync:create')).toBe('sync:create');
  expect(await ask('volume:read sync:create')).toBe('sync:create volume:read');
  expect(await ask('sync:create volume:read')).toBe('sync:create volume:read');
  expect(await ask('volume:read volume:read')).toBe('volume:read');
});

test('[3.11] refuses a scope that the client does not hold, beside one that it holds too', async ({
  client,
  reader,
}) => {
  const ask = (credentials: typeof client) => (scope: string) =>
    outcomeOf(api, { authorization: basic(credentials), form: [grant, ['scope', scope]] });
  const unknown = ['admin', 'volume:write', 'VOLUME:READ', 'volume:read admin', '__proto__'];
  expect(await culprits(unknown, '400 invalid_scope', ask(client))).toEqual([]);
  const notHeld = ['sync:create', 'volume:read sync:create'];
  expect(await culprits(notHeld, '400 invalid_scope', ask(reader))).toEqual([]);
});

test('[3.12] refuses a scope of other characters, or not separated by one space', async ({ client }) => {
  const ask = (scope: string) =>
    outcomeOf(api, { authorization: basic(client), form: [grant, ['scope', scope]] });
  const scopes = [
    'volume:read\tsync:create',
    '"volume:read"',
    'volume:read\\',
    'volume:réad',
    'volume:read\0',
  ];
  const spaces = [' ', ' volume:read', 'volume:read ', 'volume:read  sync:create'];
  expect(await culprits([...scopes, ...spaces], '400 invalid_scope', ask)).toEqual([]);
});

test('[3.13] refuses a repeated parameter, known or not', async ({ client }) => {
  const ask = (more: string) =>
    outcomeOf(api, { authorization: basic(client), form: `${grantOnly}&${more}` });
  const repeated = [grantOnly, 'scope=volume:read&scope=sync:create', 'client_id=a&client_id=a'];
  const others = ['client_secret=a&client_secret=b', 'sc%6Fpe=volume:read&scope=volume:read', 'x=1&x=1'];
  expect(await culprits([...repeated, ...others], '400 invalid_request', ask)).toEqual([]);
});

test('[3.14] takes a parameter without a value as omitted', async ({ client }) => {
  const form = `${grantOnly}&scope=&resource&client_id=&client_secret=`;
  const { scope } = tokenResponse(await requestToken(api, { authorization: basic(client), form }));
  expect(scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test('[3.15] ignores parameters that it does not know', async ({ client }) => {
  const form = [grant, ['resource', 'https://example.com'], ['émile', '✓'], ['__proto__', 'x']] as const;
  expect(await outcomeOf(api, { authorization: basic(client), form })).toBe('200');
});

test('[3.16] refuses bytes that are not UTF-8, raw or percent-encoded', async ({ client }) => {
  const raw = (...bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(`${grantOnly}&x=`), Buffer.from(bytes)]);
  const forms = [raw(0xff, 0xfe), raw(0xc0, 0xaf), `${grantOnly}&x=%FF%FE`, `${grantOnly}&x=%ED%A0%80`];
  const ask = (form: string | Buffer) => outcomeOf(api, { authorization: basic(client), form });
  expect(await culprits(forms, '400 invalid_request', ask)).toEqual([]);
});

test('[3.17] takes a body of 16 KiB, and none that is larger', async ({ client }) => {
  const ask = (size: number) =>
    outcomeOf(api, { authorization: basic(client), form: `${grantOnly}&padding=`.padEnd(size, 'x') });
  expect(await ask(16 * 1024)).toBe('200');
  expect(await ask(16 * 1024 + 1)).toBe('400 invalid_request');
  expect(await ask(1024 * 1024)).toBe('400 invalid_request');
});

test('[3.18] serves POST alone', async ({ client }) => {
  const headers = { authorization: basic(client) };
  const ask = async (method: string) =>
    String((await api.call({ method, path: '/oauth/token', headers })).status);
  const methods = ['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'];
  expect(await culprits(methods, '404', ask)).toEqual([]);
});

test('[3.19] checks form, way of authenticating, grant type, client and scope in this order', async ({
  client,
}) => {
  const twice = { authorization: basic(client) };
  expect(await outcomeOf(api, { ...twice, form: 'client_secret=a&grant_type=password&x=%FF' })).toBe(
    '400 invalid_request',
  );
  expect(await outcomeOf(api, { ...twice, form: 'client_secret=a&grant_type=password' })).toBe(
    '400 invalid_request',
  );
  expect(await outcomeOf(api, { form: 'grant_type=password' })).toBe('400 unsupported_grant_type');
  expect(await outcomeOf(api, { form: `${grantOnly}&scope=x` })).toBe('401 invalid_client');
});
