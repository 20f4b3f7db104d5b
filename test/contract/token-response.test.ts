import { challengeOf } from './support/http.ts';
import { test } from './support/test.ts';
import {
  basic,
  byBasic,
  grant,
  grantOnly,
  outcomeOf,
  post,
  requestToken,
  tokenResponse,
} from './support/token-request.ts';

/** docs/api.md section 4, and 2.2. RFC 6749 sections 5.1 and 5.2. */

/** RFC 7617 section 2: `realm` is required. */
const basicChallenge = /^Basic realm="[^"]+"/;

test('[4.1] has the fields of the contract and no others', async ({ client }) => {
  const response = await requestToken(byBasic(client));

  const { access_token, expires_in, ...rest } = tokenResponse(response);
  expect(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(access_token), 'access_token is a compact JWS').toBe(true);
  expect(Number.isInteger(expires_in) && expires_in > 0).toBe(true);
  expect(rest).toEqual({ token_type: 'Bearer', scope: expect.any(String) });
});

test('[4.3] [14.4] returns no refresh token, but a new token each time', async ({ client }) => {
  const ask = async () => tokenResponse(await requestToken({ form: [grant, ...post(client)] }));
  const [first, second] = [await ask(), await ask()];
  expect(Object.keys(second)).not.toContain('refresh_token');
  expect(first.access_token === second.access_token, 'the same token twice').toBe(false);
});

test.for([
  ['invalid_request', 'x=1'],
  ['unsupported_grant_type', 'grant_type=%22%5C%00%C3%A9'],
  ['invalid_scope', `${grantOnly}&scope=%22%5C%C3%A9%0D%0Ax`],
] as const)('[4.2] [4.7] [4.8] describes %s as RFC 6749 5.2 requires', async ([error, form], { client }) => {
  const response = await requestToken(byBasic(client, form));

  expect(response.status).toBe(400);
  expect(JSON.parse(response.text)).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5B\x5D-\x7E]{10,}$/),
  });
  expect(response.headers['cache-control']).toBe('no-store');
  expect(challengeOf(response)).toBe('');
});

test('[4.4] [2.2] responds alike to unknown, revoked and wrong clients', async ({
  client,
  reader,
  revoked,
}) => {
  const wrong = { ...client, clientSecret: reader.clientSecret };
  const unknown = { ...client, clientId: `${client.clientId}x` };
  const responses = [
    await requestToken(byBasic(wrong)),
    await requestToken({ form: [grant, ...post(wrong)] }),
    await requestToken(byBasic(unknown)),
    await requestToken(byBasic(revoked)),
  ];

  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(JSON.parse(responses[0]?.text ?? '')).toMatchObject({ error: 'invalid_client' });
});

test('[4.5] rejects a request without credentials', async () => {
  expect(await outcomeOf({ form: [grant] })).toBe('401 invalid_client');
});

test('[4.6] [4.7] rejects two Authorization headers, though both are good', async ({ client }) => {
  const authorization = [basic(client), basic(client)];
  const response = await requestToken({ authorization, form: [grant] });

  expect(response.status).toBe(401);
  expect(challengeOf(response)).toMatch(basicChallenge);
});
