import { readClientCredentials } from '../../../lambdas/token/client-credentials.ts';

const credentials = { clientId: 'acme', clientSecret: 'secret' };

/** `acme:secret` in base64, whose last byte leaves one character of padding. */
const basic = 'Basic YWNtZTpzZWNyZXQ=';

const read = (authorization: string | undefined, form: Readonly<Record<string, string>> = {}) =>
  readClientCredentials(authorization, new Map(Object.entries(form)));

const form = { client_id: 'acme', client_secret: 'secret' };

test.for<[name: string, authorization: string | undefined, form?: Record<string, string>]>([
  ['the form', undefined, form],
  ['the form, beside an empty header', '', form],
  ['Basic', basic],
  ['Basic, beside the same client_id', basic, { client_id: 'acme' }],
  ['Basic in lower case', 'basic YWNtZTpzZWNyZXQ='],
  ['Basic in upper case, with three spaces', 'BASIC   YWNtZTpzZWNyZXQ='],
])('credentials are read from %s', ([, authorization, fields]) => {
  expect(read(authorization, fields)).toEqual(credentials);
});

test.for([
  ['two characters of padding', 'Basic YWNtZTpzZWNyZQ==', 'acme', 'secre'],
  ['a plus in base64', 'Basic YWNtZTpzfj4+ZQ==', 'acme', 's~>>e'],
  // `%7Eacme:s+%3A:t`
  ['both parts form-urlencoded', 'Basic JTdFYWNtZTpzKyUzQTp0', '~acme', 's ::t'],
] as const)('Basic is read with %s', ([, authorization, clientId, clientSecret]) => {
  expect(read(authorization)).toEqual({ clientId, clientSecret });
});

test('incomplete credentials are none', () => {
  const halves = [{}, { client_id: 'acme' }, { client_secret: 'secret' }];
  expect(halves.map((half) => read(undefined, half))).toEqual([undefined, undefined, undefined]);
});

/** RFC 7617, RFC 6749 section 2.3.1 */
const malformed = {
  nothing: 'Basic',
  'another scheme': 'Bearer x',
  'no base64': 'Basic ***',
  'no colon': 'Basic c2VjcmV0',
  'no client id': 'Basic OnNlY3JldA==',
  'no client secret': 'Basic YWNtZTo=',
  'no padding where one is due': 'Basic YWNtZTpzZWNyZXQ',
  'half its padding': 'Basic YWNtZTpzZWNyZQ=',
  'too much padding': 'Basic YWNtZTpzZWNyZXQ==',
  'four bits that no byte uses': 'Basic YWNtZTpzZWNyZR==',
  'the alphabet of base64url': 'Basic YWNtZTpzfj4-ZQ==',
  'a space within': 'Basic YWNtZTpz ZWNyZQ==',
  'another scheme in front': 'Bearer Basic YWNtZTpzZWNyZQ==',
  'other credentials behind': 'Basic YWNtZTpzZWNyZQ==,Basic YWNtZTpzZWNyZQ==',
  'the byte FF': 'Basic YWNtZTpzZWNyZXT/',
  'an overlong encoding, C1 A1': 'Basic YWNtZTpzZWNyZXTBoQ==',
  // `acme:secret%ff`
  'an encoded byte FF': 'Basic YWNtZTpzZWNyZXQlZmY=',
  // `acme%:secret`
  'a percent sign that encodes nothing': 'Basic YWNtZSU6c2VjcmV0',
};

test.for(Object.entries(malformed))('Basic with %s is no credentials, also beside a form', ([, basic]) => {
  expect(read(basic, form)).toBeUndefined();
});

const twoWays = 'Authenticate the client in one way only: HTTP Basic or the form';

test.for([
  ['authenticates by Basic and the form', basic, { client_secret: 'secret' }, twoWays],
  ['names two clients', basic, { client_id: 'reader' }, 'client_id differs from the client id of HTTP Basic'],
] as const)('a request that %s is rejected', ([, authorization, fields, error_description]) => {
  const body = { error: 'invalid_request', error_description };
  expect(() => read(authorization, fields)).toThrow(
    expect.objectContaining({ parts: expect.objectContaining({ status: 400, body }) }),
  );
});
