import { inspect } from 'node:util';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { importSigningKeys } from '../../../lambdas/token/signing-key.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import { newKey, noon } from '../../support/signing-keys.ts';

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

describe('the key that signs', () => {
  test('is the current one, or the previous one until the current one is known to everybody', async () => {
    const [previous, current, next] = await Promise.all([newKey(), newKey(), newKey()]);
    const signAt = importSigningKeys({ previous, current, next, signs_from: noon.toISOString() });
    expect(kidOf(signAt(noon.getTime() - 1)({}))).toBe(previous.kid);
    expect(kidOf(signAt(noon.getTime())({}))).toBe(current.kid);
  });

  test('cannot be taken out of what signs with it', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const sign = importSigningKeys({ current, next })(noon.getTime());
    expect(inspect(sign, { showHidden: true, depth: 10 })).not.toContain('KeyObject');
  });

  test.each(['ES256', 'RS256'] as const)(
    'signs as RFC 7518 says for %s, so that jose verifies it',
    async (alg) => {
      const [current, next] = await Promise.all([newKey(alg), newKey()]);
      const token = importSigningKeys({ current, next })(noon.getTime())({ sub: 'acme' });
      const { protectedHeader, payload } = await jwtVerify(token, await importJWK(publicJwk(current), alg));
      expect(protectedHeader).toEqual({ alg, kid: current.kid, typ: 'at+jwt' });
      expect(payload).toEqual({ sub: 'acme' });
    },
  );
});
