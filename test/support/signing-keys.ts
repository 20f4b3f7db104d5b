import type { SigningAlgorithm } from '../../contract/access-token.ts';
import { generateKey } from '../../lambdas/signing-keys/generate-key.ts';
import type { KeySet, PrivateJwk } from '../../storage/signing-keys.ts';
import { publicJwk } from '../../storage/signing-keys.ts';

export const baseUrl = 'https://api.test.invalid';

/** 2026-01-31T09:00:00Z */
export const noon = new Date('2026-01-31T09:00:00.000Z');

export async function newKey(alg: SigningAlgorithm = 'ES256'): Promise<PrivateJwk> {
  return generateKey(alg);
}

export function keySetOf(...keys: readonly PrivateJwk[]): KeySet {
  return {
    keys: keys.map((key) => ({ jwk: publicJwk(key), state: 'current', since: noon.toISOString() })),
  };
}
