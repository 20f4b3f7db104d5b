import { inspect } from 'node:util';
import { compactVerify, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { importSigningKeys } from '../../../lambdas/token/signing-key.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import { newKey, noon } from '../../support/signing-keys.ts';

describe('the key that signs', () => {
  test('is the current one', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const signingKeyAt = await importSigningKeys({ current, next });
    expect(signingKeyAt(noon.getTime()).kid).toBe(current.kid);
  });

  test('is the previous one until the current one is known to everybody', async () => {
    const [previous, current, next] = await Promise.all([newKey(), newKey(), newKey()]);
    const signingKeyAt = await importSigningKeys({ previous, current, next, signs_from: noon.toISOString() });
    expect(signingKeyAt(noon.getTime() - 1).kid).toBe(previous.kid);
    expect(signingKeyAt(noon.getTime()).kid).toBe(current.kid);
  });

  test('cannot be taken out of what signs with it', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const signingKey = (await importSigningKeys({ current, next }))(noon.getTime());
    const { kid, alg, sign, ...more } = signingKey;
    expect(more).toEqual({});
    expect([kid, alg]).toEqual([current.kid, current.alg]);
    expect(inspect(sign, { showHidden: true, depth: 10 })).not.toContain('KeyObject');
  });

  test.each(['ES256', 'RS256'] as const)(
    'signs as RFC 7518 says for %s, so that jose verifies it',
    async (alg) => {
      const [current, next] = await Promise.all([newKey(alg), newKey()]);
      const { sign } = (await importSigningKeys({ current, next }))(noon.getTime());
      const input = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.e30`;
      const { protectedHeader } = await compactVerify(
        `${input}.${sign(input)}`,
        await importJWK(publicJwk(current), alg),
      );
      expect(protectedHeader).toEqual({ alg });
    },
  );
});
