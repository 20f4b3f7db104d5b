import { expect } from 'vitest';
import { signToken } from '../support/forged-token.ts';
import { requestSync } from './support/sync-request.ts';
import { api, test } from './support/test.ts';
import { byBasic, requestToken } from './support/token-request.ts';

/** docs/api.md 2.5. `test/tools/local/addresses.test.ts` sends requests from two addresses. */

test('[2.5] another address gets the response for a wrong secret', async ({ elsewhere, client }) => {
  const rejected = await requestToken(byBasic(elsewhere));
  const wrong = await requestToken(byBasic({ ...client, clientSecret: elsewhere.clientSecret }));
  expect([rejected.status, rejected.text]).toEqual([401, wrong.text]);
});

test('[2.5] a token for other addresses is 401', async ({ signingKey, file }) => {
  const claims = { allow_from: ['192.0.2.1/32'] };
  const token = await signToken(signingKey, api.baseUrl, { claims });
  const headers = { authorization: `Bearer ${token}` };
  const volumes = await api.call({ method: 'GET', path: '/v0/volumes', headers });
  expect([volumes.status, volumes.text]).toEqual([401, '{"message":"Unauthorized"}']);
  expect((await requestSync(token, file)).status).toBe(401);
});
