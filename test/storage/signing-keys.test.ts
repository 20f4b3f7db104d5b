import { describe, expect, test } from 'vitest';
import {
  compareStates,
  entrySigningAt,
  type KeySetEntry,
  keySigningAt,
  parseKeySet,
  parseSigningKeys,
  publicJwk,
  publishedKeys,
  readPrivateJwk,
} from '../../storage/signing-keys.ts';
import { keySetOf, newKey, noon } from '../support/signing-keys.ts';

describe('secrets with keys', () => {
  test.each(['ES256', 'RS256'] as const)('hold what was written, for %s', async (alg) => {
    const [current, next] = await Promise.all([newKey(alg), newKey(alg)]);
    expect(parseSigningKeys(JSON.stringify({ current, next }))).toEqual({ current, next });
    const keySet = keySetOf(current, next);
    expect(parseKeySet(JSON.stringify(keySet))).toEqual(keySet);
  });

  test.each(['ES256', 'RS256'] as const)('publish no private member, for %s', async (alg) => {
    const members = Object.keys(publicJwk(await newKey(alg)));
    expect(members.filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(member))).toEqual([]);
    expect(members).toEqual(expect.arrayContaining(['kid', 'alg', 'use', 'kty']));
  });

  test('with a private key in the public set are refused, and not quoted', async () => {
    const key = await newKey();
    const text = JSON.stringify({ keys: [{ jwk: key, state: 'current', since: noon.toISOString() }] });
    expect(() => parseKeySet(text)).toThrow('key set');
    expect(() => parseKeySet(text)).not.toThrow('d' in key ? key.d : '');
  });

  test.each(['kid', 'x', 'y'])('are refused when %s is not base64url', async (member) => {
    const [entry] = keySetOf(await newKey()).keys;
    const value = new Map<string, unknown>(Object.entries(entry?.jwk ?? {})).get(member);
    for (const wrong of [`.${value}`, `${value}=`, `${value}\n`, '', `${value}+`]) {
      const text = JSON.stringify({ keys: [{ ...entry, jwk: { ...entry?.jwk, [member]: wrong } }] });
      expect(() => parseKeySet(text)).toThrow('key set');
    }
  });

  test.each(['', 'hush', '{', '[]', 'null', '{"current":{"kty":"hush"}}'])(
    '%j is refused, not quoted',
    (text) => {
      expect(() => parseSigningKeys(text)).toThrow(
        /^The stored secret with the signing keys is not as expected at: [a-z.()_, ]+$/,
      );
      expect(() => parseSigningKeys(text)).not.toThrow('hush');
    },
  );
});

const isoAfter = (seconds: number) => new Date(noon.getTime() + seconds * 1000).toISOString();
const [ec, rsa, otherEc, thirdEc] = await Promise.all([newKey('ES256'), newKey('RS256'), newKey(), newKey()]);

describe('a stored private key', () => {
  test.each([
    ['ES256', ec],
    ['RS256', rsa],
  ] as const)('needs every member: %s', (_alg, key) => {
    expect(readPrivateJwk(key)).toEqual(key);
    for (const member of Object.keys(key)) {
      const { [member as keyof typeof key]: _left, ...rest } = key;
      expect(() => readPrivateJwk(rest)).toThrow(/^The stored private key is not as expected at: /);
    }
  });

  test.each([
    { kid: 'a b' },
    { kid: '' },
    { kid: '=' },
    { x: 'x+y' },
    { alg: 'HS256' },
    { kty: 'oct' },
    { crv: 'P-384' },
  ])('is refused with %j', (changed) => {
    expect(() => readPrivateJwk({ ...ec, ...changed })).toThrow(
      `The stored private key is not as expected at: ${Object.keys(changed)[0]}`,
    );
  });
});

describe('stored signing keys', () => {
  const stored = { current: ec, next: otherEc };

  test('may hold the key that still signs, until when it does, and what they follow', () => {
    const all = { ...stored, previous: thirdEc, signs_from: isoAfter(60), follows: 'version-1' };
    expect(parseSigningKeys(JSON.stringify(all))).toEqual(all);
  });

  test.each([
    ['current', { next: otherEc }],
    ['next', { current: ec }],
    ['previous', { ...stored, previous: {} }],
    ['signs_from', { ...stored, signs_from: 'soon' }],
    ['follows', { ...stored, follows: 1 }],
  ])('are refused with a wrong %s', (place, wrong) => {
    expect(() => parseSigningKeys(JSON.stringify(wrong))).toThrow(
      `The stored secret with the signing keys is not as expected at: ${place}`,
    );
  });

  test('let the previous key sign until the current one may', () => {
    const keys = { ...stored, previous: thirdEc, signs_from: isoAfter(60) };
    expect(keySigningAt(keys, noon.getTime() + 59_999)).toBe(thirdEc);
    expect(keySigningAt(keys, noon.getTime() + 60_000)).toBe(ec);
    expect(keySigningAt(stored, noon.getTime())).toBe(ec);
    expect(keySigningAt({ ...stored, signs_from: isoAfter(60) }, noon.getTime())).toBe(ec);
    expect(keySigningAt({ ...stored, previous: thirdEc }, noon.getTime())).toBe(ec);
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

  test('holds every documented member', () => {
    const all = entry({ usable_from: isoAfter(1), until: isoAfter(2), token_lifetime_seconds: 1 });
    expect(parse(all, entry({ jwk: publicJwk(rsa) }))).toEqual({
      keys: [all, entry({ jwk: publicJwk(rsa) })],
    });
  });

  test.each([
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
  ] as const)('is refused with a wrong %s: %j', (place, changed) => {
    expect(() => parse(entry(changed))).toThrow(`The stored key set is not as expected at: keys.0.${place}`);
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
    ['a retired one until the current one may', [next, current, retired(60, 120)], 'retired'],
    ['not a retired one from then on', [next, current, retired(0, 120)], 'current'],
    ['not a retired one that is not published any more', [next, current, retired(60, 0)], 'current'],
    ['none when there is only a next one', [next], undefined],
  ] as const)('says which key signs: %s', (_what, entries, state) => {
    expect(entrySigningAt(states(...entries), noon.getTime())?.state).toBe(state);
  });

  test('is shown with the current key first, then the next one, then retired ones', () => {
    const sorted = [retired(0), next, current].toSorted(compareStates);
    expect(sorted.map(({ state }) => state)).toEqual(['current', 'next', 'retired']);
  });
});
