import { expect } from 'vitest';
import { basicChallenge, challengeOf } from './support/challenge.ts';
import { api, test } from './support/test.ts';
import { basic, errorOf, grant, post, requestToken } from './support/token-request.ts';

/** docs/api.md 2.2 and 4.4 to 4.7: whose credentials are refused. RFC 6749 section 5.2. */

test('[4.4] [4.8] answers a wrong secret and an unknown client alike', async ({ client }) => {
  const wrongSecret = { ...client, clientSecret: alterLast(client.clientSecret) };
  const unknown = { ...client, clientId: `${client.clientId}x` };
  const [first, second] = await Promise.all(
    [wrongSecret, unknown].map((credentials) =>
      requestToken(api, { authorization: basic(credentials), form: [grant] }),
    ),
  );
  expect([first?.status, first && errorOf(first)]).toEqual([401, 'invalid_client']);
  expect([second?.status, second?.text]).toEqual([401, first?.text]);
});

test('[4.4] answers the two methods alike', async ({ client }) => {
  const wrong = { ...client, clientSecret: 'wrong' };
  const byBasic = await requestToken(api, { authorization: basic(wrong), form: [grant] });
  const byPost = await requestToken(api, { form: [grant, ...post(wrong)] });
  expect([byPost.status, byPost.text]).toEqual([401, byBasic.text]);
  expect(challengeOf(byPost)).toMatch(basicChallenge);
});

test.for([
  ['shorter', (secret: string) => secret.slice(0, -1)],
  ['longer', (secret: string) => `${secret}A`],
  ['with another first random character', (secret: string) => alterAt(secret, 4)],
  ['in another case', (secret: string) => secret.toUpperCase()],
  ['surrounded by spaces', (secret: string) => ` ${secret} `],
  ['of 4,000 characters', () => 's'.repeat(4000)],
] as const)('[4.4] refuses a secret that is %s', async ([, change], { client }) => {
  const wrong = { ...client, clientSecret: change(client.clientSecret) };
  const answer = await requestToken(api, { form: [grant, ...post(wrong)] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
});

test("[4.4] refuses one client's secret for another", async ({ client, reader }) => {
  const mixed = { clientId: client.clientId, clientSecret: reader.clientSecret };
  expect((await requestToken(api, { form: [grant, ...post(mixed)] })).status).toBe(401);
});

test('[4.5] refuses a client_id without a client_secret', async ({ client }) => {
  const answer = await requestToken(api, { form: [grant, ['client_id', client.clientId]] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
});

test('[2.2] refuses a revoked client as one that is unknown', async ({ client, revoked }) => {
  const unknown = { ...client, clientId: `${client.clientId}x` };
  const forRevoked = await requestToken(api, { authorization: basic(revoked), form: [grant] });
  const forUnknown = await requestToken(api, { authorization: basic(unknown), form: [grant] });
  expect([forRevoked.status, forRevoked.text]).toEqual([401, forUnknown.text]);
});

function alterLast(secret: string): string {
  return alterAt(secret, secret.length - 1);
}

function alterAt(secret: string, index: number): string {
  const other = secret[index] === 'A' ? 'B' : 'A';
  return secret.slice(0, index) + other + secret.slice(index + 1);
}
