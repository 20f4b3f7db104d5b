import { expect } from 'vitest';
import { api, test } from './support/test.ts';
import {
  basic,
  errorOf,
  grant,
  requestToken,
  type TokenRequest,
  tokenResponse,
} from './support/token-request.ts';

/** docs/api.md 3.8 to 3.12: `scope`. RFC 6749 section 3.3. */

test('[3.8] grants every scope of the client', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant] });
  expect(tokenResponse(answer).scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test('[3.8] grants no more than the client holds', async ({ reader }) => {
  const answer = await requestToken(api, { authorization: basic(reader), form: [grant] });
  expect(tokenResponse(answer).scope).toBe('volume:read');
});

test.for(['volume:read', 'sync:create'])('[3.9] grants %s alone', async (scope, { client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant, ['scope', scope]] });
  expect(tokenResponse(answer).scope).toBe(scope);
});

test('[3.9] takes scopes in any order', async ({ client }) => {
  const form = [grant, ['scope', 'sync:create volume:read']] as const;
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect(tokenResponse(answer).scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test('[3.10] grants a repeated scope once', async ({ client }) => {
  const form = [grant, ['scope', 'volume:read volume:read']] as const;
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect(tokenResponse(answer).scope).toBe('volume:read');
});

test.for(['admin', 'volume:write', 'VOLUME:READ', 'volume:read admin', '__proto__'])(
  '[3.11] refuses %j',
  async (scope, { client }) => {
    await expectInvalidScope({ authorization: basic(client), form: [grant, ['scope', scope]] });
  },
);

test.for(['sync:create', 'volume:read sync:create'])(
  '[3.11] refuses %j to a client that holds volume:read alone',
  async (scope, { reader }) => {
    await expectInvalidScope({ authorization: basic(reader), form: [grant, ['scope', scope]] });
  },
);

test.for([
  'volume:read\tsync:create',
  'volume:read\nsync:create',
  '"volume:read"',
  'volume:read\\',
  'volume:read,sync:create',
  'volume:réad',
  'volume:read\0',
])('[3.12] refuses %j, whose characters no scope has', async (scope, { client }) => {
  await expectInvalidScope({ authorization: basic(client), form: [grant, ['scope', scope]] });
});

test.for([' ', '  ', ' volume:read', 'volume:read ', 'volume:read  sync:create'])(
  '[3.12] refuses %j, since one space separates two scopes',
  async (scope, { client }) => {
    await expectInvalidScope({ authorization: basic(client), form: [grant, ['scope', scope]] });
  },
);

async function expectInvalidScope(request: TokenRequest): Promise<void> {
  const answer = await requestToken(api, request);
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_scope']);
}
