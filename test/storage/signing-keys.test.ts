import { describe, expect, test } from 'vitest';
import {
  compareStates,
  entryThatSigns,
  type KeySetEntry,
  parseKeySet,
  parseSigningKeys,
  publicJwk,
  publishedKeys,
  readPrivateJwk,
} from '../../storage/signing-keys.ts';
import { keySetOf, newKey, noon } from '../support/signing-keys.ts';

describe('secrets with keys', () => {
  test('hold what was written, and publish no private member', async () => {
    for (const alg of ['ES256', 'RS256'] as const) {
      const [current, next] = await Promise.all([newKey(alg), newKey(alg)]);
      expect(parseSigningKeys(JSON.stringify({ current, next }))).toEqual({ current, next });
      const keySet = keySetOf(current, next);
      expect(parseKeySet(JSON.stringify(keySet))).toEqual(keySet);
      const members = Object.keys(publicJwk(current)).sort();
      expect(members).toEqual(
        alg === 'ES256'
          ? ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']
          : ['alg', 'e', 'kid', 'kty', 'n', 'use'],
      );
    }
  });

  test('with a private key in the public set are refused, and not quoted', async () => {
    const key = await newKey();
    const text = JSON.stringify({ keys: [{ jwk: key, state: 'current', since: noon.toISOString() }] });
    expect(() => parseKeySet(text)).toThrow('key set');
    expect(() => parseKeySet(text)).not.toThrow('d' in key ? key.d : '');
  });

  test('that are no JSON, or other JSON, are refused and not quoted', () => {
    for (const text of ['', 'hush', '{', '[]', 'null', '{"current":{"kty":"hush"}}']) {
      expect(() => parseSigningKeys(text)).toThrow(
        /^The stored secret with the signing keys is not as expected at: (?!.*hush)[a-z.()_, ]+$/,
      );
    }
  });
});

const isoAfter = (seconds: number) => new Date(noon.getTime() + seconds * 1000).toISOString();
const [ec, rsa, otherEc] = await Promise.all([newKey('ES256'), newKey('RS256'), newKey()]);

describe('a stored private key', () => {
  test('needs every member, each in its form', () => {
    for (const key of [ec, rsa]) {
      expect(readPrivateJwk(key)).toEqual(key);
      for (const member of Object.keys(key)) {
        const { [member as keyof typeof key]: _left, ...rest } = key;
        expect(() => readPrivateJwk(rest)).toThrow(/^The stored private key is not as expected at: /);
      }
    }
    const wrong = [{ kid: 'a b' }, { kid: '' }, { kid: '=' }, { x: 'x+y' }, { y: 'y\n' }];
    for (const changed of [...wrong, { alg: 'HS256' }, { kty: 'oct' }, { crv: 'P-384' }]) {
      expect(() => readPrivateJwk({ ...ec, ...changed })).toThrow(
        `The stored private key is not as expected at: ${Object.keys(changed)[0]}`,
      );
    }
  });
});

describe('stored signing keys', () => {
  const stored = { current: ec, next: otherEc };

  test('are refused with a wrong member', () => {
    for (const [place, wrong] of [
      ['current', { next: otherEc }],
      ['next', { current: ec }],
      ['follows', { ...stored, follows: 1 }],
    ] as const) {
      expect(() => parseSigningKeys(JSON.stringify(wrong))).toThrow(
        `The stored secret with the signing keys is not as expected at: ${place}`,
      );
    }
  });
});

describe('a stored key set', () => {
  const entry = (changed: object = {}) => ({
    jwk: publicJwk(ec),
    state: 'current',
    since: isoAfter(0),
    ...changed,
  });
  const parse = (...keys: readonly object[]) => parseKeySet(JSON.stringify({ keys }));

  test('is refused with a wrong member', () => {
    const wrong = [
      ['state', { state: 'revoked' }],
      ['since', { since: undefined }],
      ['since', { since: 'today' }],
      ['usable_from', { usable_from: 'soon' }],
      ['until', { until: 5 }],
      ['token_lifetime_seconds', { token_lifetime_seconds: 0 }],
      ['token_lifetime_seconds', { token_lifetime_seconds: 1.5 }],
      ['token_lifetime_seconds', { token_lifetime_seconds: '60' }],
      ['jwk', { jwk: undefined }],
      ['jwk.use', { jwk: { ...publicJwk(ec), use: 'enc' } }],
      ['jwk.use', { jwk: { ...publicJwk(rsa), use: 'enc' } }],
      ['jwk.d', { jwk: { ...publicJwk(ec), d: 'hush' } }],
      ['jwk.d', { jwk: { ...publicJwk(rsa), d: 'hush' } }],
      ['jwk.crv', { jwk: { ...publicJwk(ec), crv: 'P-384' } }],
      ['jwk.kty', { jwk: { ...publicJwk(ec), kty: 'oct' } }],
    ] as const;
    for (const [place, changed] of wrong) {
      expect(() => parse(entry(changed))).toThrow(
        `The stored key set is not as expected at: keys.0.${place}`,
      );
    }
  });

  const states = (...entries: readonly Omit<KeySetEntry, 'jwk'>[]) => ({
    keys: entries.map((it) => ({ jwk: publicJwk(ec), ...it })),
  });
  const current = { state: 'current', since: isoAfter(60) } as const;
  const next = { state: 'next', since: isoAfter(0) } as const;
  const retired = (since: number, until?: number) =>
    ({
      state: 'retired',
      since: isoAfter(since),
      ...(until === undefined ? {} : { until: isoAfter(until) }),
    }) as const;

  test('publishes a key until its time is over', () => {
    const set = states(current, retired(0, 60));
    expect(publishedKeys(set, noon.getTime() + 59_999)).toHaveLength(2);
    expect(publishedKeys(set, noon.getTime() + 60_000)).toEqual([set.keys[0]]);
  });

  test.each([
    ['the current one', [next, current], 'current'],
    ['a retired one while its rotation is not finished', [next, current, retired(0)], 'retired'],
    ['not a retired one whose rotation is finished', [next, current, retired(0, 120)], 'current'],
    ['none when there is only a next one', [next], undefined],
  ] as const)('says which key signs: %s', (_what, entries, state) => {
    expect(entryThatSigns(states(...entries))?.state).toBe(state);
  });

  test('is shown with the current key first, then the next one, then retired ones', () => {
    const sorted = [retired(0), next, current].toSorted(compareStates);
    expect(sorted.map(({ state }) => state)).toEqual(['current', 'next', 'retired']);
  });
});
