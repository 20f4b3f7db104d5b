import { describe, expect, test } from 'vitest';
import { importSigners } from '../../../lambdas/token/signer.ts';
import { newKey, noon } from '../support/keys.ts';

describe('the key that signs', () => {
  test('is the current one', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const signerAt = await importSigners({ current, next });
    expect(signerAt(noon.getTime()).kid).toBe(current.kid);
  });

  test('is the previous one until the current one is known to everybody', async () => {
    const [previous, current, next] = await Promise.all([newKey(), newKey(), newKey()]);
    const signerAt = await importSigners({ previous, current, next, signs_from: noon.toISOString() });
    expect(signerAt(noon.getTime() - 1).kid).toBe(previous.kid);
    expect(signerAt(noon.getTime()).kid).toBe(current.kid);
  });

  test('cannot be taken out of memory', async () => {
    const [current, next] = await Promise.all([newKey(), newKey()]);
    const { key } = (await importSigners({ current, next }))(noon.getTime());
    expect(key.extractable).toBe(false);
  });
});
