import { expect, test } from 'vitest';
import { readClientCredentials } from '../../../lambdas/token/client-credentials.ts';

const credentials = { clientId: 'acme', clientSecret: 'secret' };
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const bytes = (...values: readonly number[]) => Buffer.from(values);

/** Credentials that leave one byte over from groups of three (`==`), or two (`=`), or none and hold a `+`. */
const [one, two, plus] = ['acme:secre', 'acme:secret', 'acme:s~>>e'].map(base64) as [string, string, string];

const read = (authorization: string | undefined, form: Readonly<Record<string, string>> = {}) =>
  readClientCredentials(authorization, new Map(Object.entries(form)));

test('credentials are those of the form, or of Basic with an equal client_id beside it', () => {
  const form = { client_id: 'acme', client_secret: 'secret' };
  expect(read(undefined, form)).toEqual(credentials);
  expect(read('', form)).toEqual(credentials);
  const basic = `Basic ${base64('acme:secret')}`;
  expect(read(basic)).toEqual(credentials);
  expect(read(basic, { client_id: 'acme' })).toEqual(credentials);
});

test('Basic is read in any case, after any spaces, with any padding, and with both parts form-urlencoded', () => {
  for (const scheme of ['basic ', 'BASIC   ']) {
    expect(read(scheme + base64('acme:secret')), scheme).toEqual(credentials);
  }
  expect(read(`Basic ${one}`)).toEqual({ clientId: 'acme', clientSecret: 'secre' });
  expect(read(`Basic ${two}`)).toEqual(credentials);
  expect(read(`Basic ${plus}`)).toEqual({ clientId: 'acme', clientSecret: 's~>>e' });
  expect(read(`Basic ${base64('%7Eacme:s+%3A:t')}`)).toEqual({ clientId: '~acme', clientSecret: 's ::t' });
});

test('no, half or malformed credentials are none', () => {
  expect(read(undefined)).toBeUndefined();
  expect(read(undefined, { client_id: 'acme' })).toBeUndefined();
  expect(read(undefined, { client_secret: 'secret' })).toBeUndefined();
  expect(read('Basic', { client_id: 'acme' })).toBeUndefined();
  // RFC 7617, RFC 6749 section 2.3.1
  const malformed = [
    ...['Bearer x', 'Basic ***', `Basic ${base64('secret')}`, `Basic ${base64(':secret')}`],
    `Basic ${base64('acme:')}`,
    // Padding that is missing, half there or too much, and bits that no byte uses.
    ...[one.slice(0, -2), two.slice(0, -1), one.slice(0, -1), `${two}=`].map((text) => `Basic ${text}`),
    `Basic ${one.slice(0, -3)}${nextCharacter(one.at(-3))}==`,
    `Basic ${two.slice(0, -2)}${nextCharacter(two.at(-2))}=`,
    `Basic ${plus.replace('+', '-')}`,
    ...[`${one.slice(0, 8)} ${one.slice(8)}`, `${one.slice(0, 8)}\n${one.slice(8)}`].map(
      (it) => `Basic ${it}`,
    ),
    ...[`x Basic ${one}`, `Bearer Basic ${one}`, `Basic ${one} x`, `Basic ${one},Basic ${one}`],
    // Bytes that are not UTF-8, also when they are percent-encoded.
    ...[bytes(0xff), bytes(0xc1, 0xa1)].map(
      (wrong) => `Basic ${base64(Buffer.concat([Buffer.from('acme:secret'), wrong]))}`,
    ),
    `Basic ${base64('acme:secret%ff')}`,
    `Basic ${base64('acme%:secret')}`,
  ];
  expect(malformed.filter((authorization) => read(authorization) !== undefined)).toEqual([]);
});

/** The character after this one in the alphabet of base64: its lowest bit is set. */
function nextCharacter(character = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet.charAt(alphabet.indexOf(character) + 1);
}

test('a request that authenticates in two ways, or names two clients, is refused', () => {
  const basic = `Basic ${base64('acme:secret')}`;
  const twoWays = 'Authenticate the client in one way only: HTTP Basic or the form';
  const twoClients = 'client_id differs from the client id of HTTP Basic';
  for (const [authorization, form, description] of [
    [basic, { client_secret: 'secret' }, twoWays],
    ['Bearer x', { client_id: 'acme', client_secret: 'secret' }, twoWays],
    [basic, { client_id: 'reader' }, twoClients],
  ] as const) {
    expect(() => read(authorization, form)).toThrow(
      expect.objectContaining({
        status: 400,
        body: { error: 'invalid_request', error_description: description },
      }),
    );
  }
});
