import { describe, expect, test } from 'vitest';
import { parseKeySet, parseSigningKeys, publicJwk } from '../../storage/signing-keys.ts';
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
