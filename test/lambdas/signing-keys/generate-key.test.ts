import { expect, test } from 'vitest';
import { generateKey } from '../../../lambdas/signing-keys/generate-key.ts';

test('no key id begins like an option of a command, of which one in 64 thumbprints would', async () => {
  const keys = await Promise.all(Array.from({ length: 500 }, () => generateKey('ES256')));
  expect(keys.filter(({ kid }) => kid.startsWith('-'))).toEqual([]);
});
