import {
  entryThatSigns,
  type KeySetEntry,
  namesKey,
  parseKeySet,
  parseSigningKey,
  publicJwk,
  readPrivateJwk,
} from '../../storage/signing-keys.ts';
import { keySetOf, newKey, noon } from '../support/signing-keys.ts';

const isoAfter = (seconds: number) => new Date(noon.getTime() + seconds * 1000).toISOString();
const [ec, rsa, otherEc] = await Promise.all([newKey('ES256'), newKey('RS256'), newKey()]);

describe('secrets with keys', () => {
  test.for([ec, rsa])('contain the written keys: $alg', (current) => {
    const stored = { key: current, next: 'version-2', follows: 'version-1' };
    expect(parseSigningKey(JSON.stringify(stored))).toEqual(stored);
    expect(parseSigningKey(JSON.stringify({ key: current }))).toEqual({ key: current });
    const keySet = keySetOf(current, otherEc);
    expect(parseKeySet(JSON.stringify(keySet))).toEqual(keySet);
  });

  test('publish no private member', () => {
    expect([ec, rsa].map((key) => Object.keys(publicJwk(key)).sort())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ]);
  });

  test.for(['hush', 'null', '{"key":{"kty":"hush"}}'])(
    'that hold %j are rejected, and not quoted',
    (text) => {
      expect(() => parseSigningKey(text)).toThrow(
        /^The stored signing key is not as expected at: (?!.*hush)[a-z.()_, ]+$/,
      );
    },
  );

  test.for([
    ['key', { next: 'version-2' }],
    ['next', { key: ec, next: otherEc }],
    ['follows', { key: ec, follows: 1 }],
  ] as const)('are rejected with a wrong member %s', ([place, wrong]) => {
    expect(() => parseSigningKey(JSON.stringify(wrong))).toThrow(
      `The stored signing key is not as expected at: ${place}`,
    );
  });
});

const keyArn = 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-4333-8444-555555555555';

test.for([
  ['its ARN', keyArn, true],
  ['its id', '11111111-2222-4333-8444-555555555555', true],
  ['an alias, which can move', 'alias/keys', false],
  ['a part of its id', '8444-555555555555', false],
  ['nothing: the default key of the account', undefined, false],
] as const)('a KMS key is named by %s: %s', ([, kmsKeyId, expected]) => {
  expect(namesKey(kmsKeyId, keyArn)).toBe(expected);
});

describe('a stored private key', () => {
  const members = [ec, rsa].flatMap((key) =>
    Object.keys(key).map((member) => [key.alg, member, { ...key, [member]: undefined }] as const),
  );

  test.for(members)('of %s is rejected without %s', ([, member, key]) => {
    expect(() => readPrivateJwk(key)).toThrow(`The stored private key is not as expected at: ${member}`);
  });

  test.for([
    ['kid', 'a b'],
    ['kid', ''],
    ['x', 'x+y'],
    ['y', 'y\n'],
    ['alg', 'HS256'],
    ['kty', 'oct'],
    ['crv', 'P-384'],
  ] as const)('is rejected with the %s %j', ([member, value]) => {
    expect(() => readPrivateJwk({ ...ec, [member]: value })).toThrow(
      `The stored private key is not as expected at: ${member}`,
    );
  });
});

describe('a stored key set', () => {
  const parseEntry = (changed: object) => {
    const entry = { jwk: publicJwk(ec), state: 'current', since: isoAfter(0), ...changed };
    return parseKeySet(JSON.stringify({ keys: [entry] }));
  };

  test.for([
    ['state', { state: 'revoked' }],
    ['since', { since: undefined }],
    ['since', { since: 'today' }],
    ['usable_from', { usable_from: 'soon' }],
    ['version', { version: 5 }],
    ['until', { until: 5 }],
    ['token_lifetime_seconds', { token_lifetime_seconds: 0 }],
    ['token_lifetime_seconds', { token_lifetime_seconds: 1.5 }],
    ['jwk', { jwk: undefined }],
  ] as const)('is rejected with a wrong member %s: %j', ([place, changed]) => {
    expect(() => parseEntry(changed)).toThrow(`The stored key set is not as expected at: keys.0.${place}`);
  });

  test.for([
    ['use', 'enc', ec],
    ['use', 'enc', rsa],
    ['d', 'hush', ec],
    ['d', 'hush', rsa],
  ] as const)('is rejected with a key whose %s is %s', ([member, value, key]) => {
    expect(() => parseEntry({ jwk: { ...publicJwk(key), [member]: value } })).toThrow(
      `The stored key set is not as expected at: keys.0.jwk.${member}`,
    );
  });

  const states = (...entries: readonly Omit<KeySetEntry, 'jwk'>[]) => ({
    keys: entries.map((it) => ({ jwk: publicJwk(ec), ...it })),
  });
  const since = isoAfter(0);
  const current = { state: 'current', since } as const;
  const next = { state: 'next', since } as const;
  const retired = { state: 'retired', since } as const;

  test.for([
    ['the current one', [next, current], 'current'],
    ['a retired one while its rotation is not finished', [next, current, retired], 'retired'],
    [
      'not a retired one whose rotation is finished',
      [next, current, { ...retired, until: isoAfter(120) }],
      'current',
    ],
    ['none when there is only a next one', [next], undefined],
  ] as const)('names the key that signs: %s', ([, entries, state]) => {
    expect(entryThatSigns(states(...entries))?.state).toBe(state);
  });
});
