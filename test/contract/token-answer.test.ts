import { expect } from 'vitest';
import { challengeOf } from './support/http.ts';
import { api, culprits, test } from './support/test.ts';
import {
  basic,
  basicOf,
  grant,
  grantOnly,
  outcomeOf,
  post,
  requestToken,
  type TokenRequest,
  tokenResponse,
} from './support/token-request.ts';

/** docs/api.md section 4, and 2.2. RFC 6749 sections 5.1 and 5.2. */

/** RFC 7617 section 2: `realm` is required. */
const basicChallenge = /^Basic realm="[^"]+"/;

const refused = '401 invalid_client';

test('[4.1] [4.2] has the fields of the contract and no others, and must not be stored', async ({
  client,
}) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant] });
  const { access_token, expires_in, ...rest } = tokenResponse(answer);
  expect(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(access_token), 'access_token is a compact JWS').toBe(true);
  expect(Number.isInteger(expires_in) && expires_in > 0).toBe(true);
  expect(rest).toEqual({ token_type: 'Bearer', scope: expect.any(String) });
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('[4.3] [14.4] gives no refresh token, and a new token when asked again', async ({ client }) => {
  const ask = async () => tokenResponse(await requestToken(api, { form: [grant, ...post(client)] }));
  const [first, second] = [await ask(), await ask()];
  expect(Object.keys(second)).not.toContain('refresh_token');
  expect(first.access_token === second.access_token, 'the same token twice').toBe(false);
});

test('[4.2] [4.7] [4.8] says of each error what it is, in the characters of RFC 6749 5.2', async ({
  client,
}) => {
  const authorization = basic(client);
  const requests: readonly (readonly [string, number, TokenRequest])[] = [
    ['invalid_request', 400, { authorization, form: 'x=1' }],
    ['unsupported_grant_type', 400, { authorization, form: 'grant_type=%22%5C%00%C3%A9' }],
    ['invalid_scope', 400, { authorization, form: `${grantOnly}&scope=%22%5C%C3%A9%0D%0Ax` }],
    ['invalid_client', 401, { form: [grant] }],
  ];
  for (const [error, status, request] of requests) {
    const answer = await requestToken(api, request);
    expect([error, answer.status]).toEqual([error, status]);
    expect(JSON.parse(answer.text)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20\x21\x23-\x5B\x5D-\x7E]{10,}$/),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(challengeOf(answer)).toMatch(status === 401 ? basicChallenge : /^$/);
  }
});

test('[4.4] [4.7] [4.8] [2.2] answers wrong, unknown and revoked credentials alike', async ({
  client,
  reader,
  revoked,
}) => {
  const wrong = { ...client, clientSecret: `${client.clientSecret.slice(0, -1)}-` };
  const unknown = { ...client, clientId: `${client.clientId}x` };
  const ofAnother = { ...client, clientSecret: reader.clientSecret };
  const answers = [
    await requestToken(api, { authorization: basic(wrong), form: [grant] }),
    await requestToken(api, { form: [grant, ...post(wrong)] }),
    await requestToken(api, { authorization: basic(unknown), form: [grant] }),
    await requestToken(api, { authorization: basic(ofAnother), form: [grant] }),
    await requestToken(api, { authorization: basic(revoked), form: [grant] }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ error: 'invalid_client' });
  for (const answer of answers) {
    expect(challengeOf(answer)).toMatch(basicChallenge);
  }
});

test('[4.5] refuses a request without credentials, or with half of them', async ({ client }) => {
  expect(await outcomeOf(api, { form: [grant] })).toBe(refused);
  expect(await outcomeOf(api, { form: [grant, ['client_id', client.clientId]] })).toBe(refused);
});

test('[4.6] [4.7] refuses malformed Basic credentials, another scheme, and two headers', async ({
  client,
}) => {
  const right = basic(client);
  const wrong: Readonly<Record<string, string | readonly string[]>> = {
    'no colon': basicOf('no-colon-here'),
    'a percent sign that encodes nothing': basicOf('%zz:%zz'),
    'no id': basicOf(':secret'),
    'no secret': basicOf('client:'),
    'no credentials': 'Basic',
    'no base64': 'Basic !!!not*base64!!!',
    'bytes that are not UTF-8': `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    'another scheme': right.replace('Basic', 'Bearer'),
    'a tab inside': `${right.slice(0, 14)}\t${right.slice(14)}`,
    'two headers': [right, right],
  };
  // By name: a failure must not show a secret.
  const ask = async (name: string) => {
    const answer = await requestToken(api, { authorization: wrong[name] ?? '', form: [grant] });
    const challenged = basicChallenge.test(challengeOf(answer));
    return `${answer.status} ${challenged ? 'challenged' : 'not challenged'}`;
  };
  expect(await culprits(Object.keys(wrong), '401 challenged', ask)).toEqual([]);
});
