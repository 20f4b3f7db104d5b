import { expect } from 'vitest';
import { api, test } from './support/test.ts';
import { basic, errorOf, grant, post, requestToken, tokenResponse } from './support/token-request.ts';

/** docs/api.md section 4. RFC 6749 sections 5.1 and 5.2. */

test('[4.1] has the fields of the contract and no others', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant] });
  const { access_token, expires_in, ...rest } = tokenResponse(answer);
  expect(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(access_token), 'access_token is a compact JWS').toBe(true);
  expect(Number.isInteger(expires_in) && expires_in > 0).toBe(true);
  expect(rest).toEqual({ token_type: 'Bearer', scope: expect.any(String) });
});

test('[4.3] [14.4] gives no refresh token, and a new token when asked again', async ({ client }) => {
  const ask = async () => tokenResponse(await requestToken(api, { form: [grant, ...post(client)] }));
  const [first, second] = [await ask(), await ask()];
  expect(Object.keys(second)).not.toContain('refresh_token');
  expect(first.access_token === second.access_token, 'the same token twice').toBe(false);
});

test('[4.2] says that a token must not be stored', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant] });
  expect(answer.headers['cache-control']).toBe('no-store');
});

test.for([
  ['invalid_request', { form: [] }],
  ['invalid_client', { form: [grant] }],
  ['unsupported_grant_type', { form: [['grant_type', 'x']] }],
] as const)('[4.2] says so of %s', async ([error, request], { client }) => {
  const credentials = error === 'invalid_client' ? {} : { authorization: basic(client) };
  const answer = await requestToken(api, { ...request, ...credentials });
  expect(errorOf(answer)).toBe(error);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test.for([
  ['invalid_request', 400, 'x=1'],
  ['unsupported_grant_type', 400, 'grant_type=%22%5C%00%C3%A9'],
  ['invalid_scope', 400, 'grant_type=client_credentials&scope=%22%5C%C3%A9%0D%0Ax'],
] as const)('[4.8] describes %s in the characters of RFC 6749 5.2', async (row, { client }) => {
  const [error, status, form] = row;
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect(answer.status).toBe(status);
  expectError(JSON.parse(answer.text), error);
});

test('[4.8] describes invalid_client', async () => {
  const answer = await requestToken(api, { form: [grant] });
  expectError(JSON.parse(answer.text), 'invalid_client');
});

/** RFC 6749 section 5.2 names the characters of both members. */
function expectError(body: unknown, error: string): void {
  expect(body).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20\x21\x23-\x5B\x5D-\x7E]{10,}$/),
  });
}
