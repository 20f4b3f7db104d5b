import { describeRevocation } from '../../../../tools/operator/signing-keys/actions.ts';
import type { SigningKey } from '../../../../tools/operator/signing-keys/signing-key.ts';

test.for<readonly [SigningKey['state'], string]>([
  ['next', 'It has not signed yet: all access tokens stay valid.'],
  ['current', 'The next key signs within five minutes'],
  ['retired', 'clients must get a new one. The current key signs.'],
])('the question about a revocation of the %s key contains: %s', ([state, sentence]) => {
  const key = { kid: 'k', algorithm: 'ES256', state, signs: true, since: '2026-01-01' };
  expect(describeRevocation(key as SigningKey)).toContain(sentence);
});
