import { expect } from 'vitest';
import type { ClientCredentials } from '../support/deployment.ts';
import { basicChallenge, challengeOf } from './support/challenge.ts';
import { api, test } from './support/test.ts';
import {
  basic,
  basicOf,
  errorOf,
  formEncode,
  formType,
  grant,
  post,
  requestToken,
} from './support/token-request.ts';

/** docs/api.md 3.2 to 3.5, 4.5 and 4.6: how credentials are given. RFC 6749 section 2.3, RFC 7617. */

test('[3.2] takes Basic credentials', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant] });
  expect(answer.status).toBe(200);
});

test('[3.2] takes every character of Basic credentials percent-encoded', async ({ client }) => {
  const encoded = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const authorization = basicOf(`${encoded(client.clientId)}:${encoded(client.clientSecret)}`);
  expect((await requestToken(api, { authorization, form: [grant] })).status).toBe(200);
});

test.for(['basic', 'BASIC'])('[3.2] takes the scheme as %s', async (scheme, { client }) => {
  const authorization = basic(client).replace('Basic', scheme);
  expect((await requestToken(api, { authorization, form: [grant] })).status).toBe(200);
});

test('[3.2] reads + in Basic credentials as a space', async ({ client }) => {
  const wrong = `${formEncode(client.clientId)}:${formEncode(client.clientSecret)}+`;
  const answer = await requestToken(api, { authorization: basicOf(wrong), form: [grant] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
});

test('[3.3] takes form credentials', async ({ client }) => {
  expect((await requestToken(api, { form: [grant, ...post(client)] })).status).toBe(200);
});

test('[3.4] refuses a client_secret beside Basic', async ({ client }) => {
  const answer = await requestToken(api, { authorization: basic(client), form: [grant, ...post(client)] });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test('[3.4] takes a client_id that equals the one of Basic', async ({ client }) => {
  const form = [grant, ['client_id', client.clientId]] as const;
  expect((await requestToken(api, { authorization: basic(client), form })).status).toBe(200);
});

test('[3.4] refuses a client_id other than the one of Basic', async ({ client }) => {
  const form = [grant, ['client_id', `${client.clientId}x`]] as const;
  const answer = await requestToken(api, { authorization: basic(client), form });
  expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request']);
});

test('[4.5] [4.7] refuses a request without credentials', async () => {
  const answer = await requestToken(api, { form: [grant] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
  expect(challengeOf(answer)).toMatch(basicChallenge);
});

test.for([
  ['no colon', basicOf('no-colon-here')],
  ['characters outside base64', 'Basic !!!not*base64!!!'],
  ['a part that is not percent-encoded well', basicOf('%zz:%zz')],
  ['a part that is not UTF-8 once decoded', basicOf('%ff%fe:%ff')],
  ['nothing', 'Basic'],
  ['an empty user and password', basicOf(':')],
  ['an empty user', basicOf(':secret')],
  ['an empty password', basicOf('client:')],
  ['a colon too many', basicOf('a:b:c')],
  ['NUL', basicOf('client\0:secret')],
  ['two tokens', `${basicOf('a:b')} ${basicOf('a:b')}`],
  ['bytes that are not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
] as const)('[4.6] [4.7] refuses Basic with %s', async ([, authorization]) => {
  const answer = await requestToken(api, { authorization, form: [grant] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
  expect(challengeOf(answer)).toMatch(basicChallenge);
});

/** Right credentials but for the way in which they are written: nothing else can be the reason of the refusal. */
test.for([
  ['without the padding', (encoded: string) => encoded.replace(/=+$/, '')],
  ['with more padding', (encoded: string) => `${encoded}=`],
  ['with unused bits that are not zero', (encoded: string) => withUnusedBits(encoded)],
  ['with a tab inside', (encoded: string) => `${encoded.slice(0, 8)}\t${encoded.slice(8)}`],
  ['with a space inside', (encoded: string) => `${encoded.slice(0, 8)} ${encoded.slice(8)}`],
  ['before a byte that is not UTF-8', (encoded: string) => withByte(encoded, 'after')],
  ['after a byte that is not UTF-8', (encoded: string) => withByte(encoded, 'before')],
  ['after a byte order mark', (encoded: string) => base64(`\ufeff${Buffer.from(encoded, 'base64')}`)],
] as const)('[4.6] refuses right credentials %s', async ([, change], { client }) => {
  const encoded = base64(paddedPair(client));
  const ask = (text: string) => requestToken(api, { authorization: `Basic ${text}`, form: [grant] });
  expect((await ask(encoded)).status).toBe(200);
  const answer = await ask(change(encoded));
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
});

/** Percent-encodes characters of the id, until base64 of the pair ends in padding. */
function paddedPair({ clientId, clientSecret }: ClientCredentials): string {
  for (const encoded of [0, 1]) {
    const start = [...clientId.slice(0, encoded)].map((letter) => `%${letter.charCodeAt(0).toString(16)}`);
    const pair = `${start.join('')}${formEncode(clientId.slice(encoded))}:${formEncode(clientSecret)}`;
    if (pair.length % 3 !== 0) {
      return pair;
    }
  }
  throw new Error('Two lengths that differ by 2 cannot both be multiples of 3');
}

function base64(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64');
}

/** The last character before the padding, with its lowest bit set: it decodes to the same bytes. */
function withUnusedBits(encoded: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return encoded.replace(/[^=](?==)/, (last) => alphabet.charAt(alphabet.indexOf(last) + 1));
}

function withByte(encoded: string, place: 'before' | 'after'): string {
  const [credentials, wrong] = [Buffer.from(encoded, 'base64'), Buffer.from([0xff])];
  return base64(Buffer.concat(place === 'before' ? [wrong, credentials] : [credentials, wrong]));
}

test('[4.6] refuses another scheme', async ({ client }) => {
  const authorization = basic(client).replace('Basic', 'Bearer');
  const answer = await requestToken(api, { authorization, form: [grant] });
  expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_client']);
});

test('[4.6] refuses two Authorization headers', async ({ client }) => {
  const authorization = [basic(client), basic(client)];
  const answer = await requestToken(api, { authorization, form: [grant] });
  expect(answer.status).toBe(401);
});

test('[3.5] does not read credentials from the query', async ({ client }) => {
  const query = new URLSearchParams(Object.fromEntries([grant, ...post(client)]));
  const answer = await api.call({
    method: 'POST',
    path: `/oauth/token?${query}`,
    headers: { 'content-type': formType },
    body: 'grant_type=client_credentials',
  });
  expect(answer.status).toBe(401);
});
