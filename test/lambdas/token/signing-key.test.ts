import { describe, expect, test } from 'vitest';
import { importSigningKeys } from '../../../lambdas/token/signing-key.ts';
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

  test('cannot be taken out of memory', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const { key } = (await importSigningKeys({ current, next }))(noon.getTime());
    expect(key.extractable).toBe(false);
  });
});
