import { api, test } from './support/test.ts';
import { basic, byBasic, formType, grantOnly, requestToken } from './support/token-request.ts';

/** docs/api.md 2.5. `test/tools/local/addresses.test.ts` sends requests from two addresses. */

test('[2.5] a forged address is no address of the client', async ({ elsewhere, client }) => {
  const forged = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' };
  const headers = { authorization: basic(elsewhere), 'content-type': formType, ...forged };
  const rejected = await api.call({ method: 'POST', path: '/oauth/token', headers, body: grantOnly });
  const wrong = await requestToken(byBasic({ ...client, clientSecret: elsewhere.clientSecret }));
  expect([rejected.status, rejected.text]).toEqual([401, wrong.text]);
});
