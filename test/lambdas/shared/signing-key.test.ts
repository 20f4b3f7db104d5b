import { inspect } from 'node:util';
import { importJWK, jwtVerify } from 'jose';
import { importSigningKey } from '../../../lambdas/shared/keys/signing-key.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import { newKey } from '../../support/signing-keys.ts';

describe('the key that signs', () => {
  test('cannot be exported from the signer', async () => {
    const sign = importSigningKey(await newKey());
    expect(inspect(sign, { showHidden: true, depth: 10 })).not.toContain('KeyObject');
  });

  test.for(['ES256', 'RS256'] as const)('signs as RFC 7518 says for %s', async (alg) => {
    const current = await newKey(alg);
    const token = importSigningKey(current)({ sub: 'acme' });
    const { protectedHeader, payload } = await jwtVerify(token, await importJWK(publicJwk(current), alg));
    expect(protectedHeader).toEqual({ alg, kid: current.kid, typ: 'at+jwt' });
    expect(payload).toEqual({ sub: 'acme' });
  });
});
