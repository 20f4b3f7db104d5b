import { generateKey } from '../../../lambdas/signing-keys/generate-key.ts';

// One in 64 thumbprints would.
test('no key id begins like an option of a command', async () => {
  const keys = await Promise.all(Array.from({ length: 500 }, () => generateKey('ES256')));
  expect(keys.map(({ kid }) => kid[0])).not.toContain('-');
});
