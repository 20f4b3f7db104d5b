import { describeRevocation, leakNote } from '../../../../tools/operator/signing-keys/actions.ts';
import type { SigningKey } from '../../../../tools/operator/signing-keys/signing-key.ts';

test.for<readonly [string, SigningKey['state'], signs: boolean, until: string | undefined]>([
  ['"k" is the next key and has not signed yet: all access tokens stay valid.', 'next', false, undefined],
  ['"k" signs now. Every access token that it signed since 2026-01-01 becomes', 'current', true, undefined],
  ['"k" still signs. Every access token that it signed becomes invalid', 'retired', true, undefined],
  ['Without a revocation, it leaves the key set after the rotation.', 'retired', false, undefined],
  ['Without a revocation, it leaves the key set at 2026-02-01.', 'retired', false, '2026-02-01'],
])('the question about a revocation contains: %s', ([sentence, state, signs, until]) => {
  const key = { kid: 'k', algorithm: 'ES256', state, signs, since: '2026-01-01', until };
  expect(describeRevocation(key as SigningKey)).toContain(sentence);
});

test.for<readonly [SigningKey['state'], string]>([
  ['next', 'has the current key too'],
  ['current', 'has the next key too'],
  ['retired', 'has the next key too'],
])('names the other key of whoever read the %s key', ([state, sentence]) => {
  expect(leakNote(state)).toContain(sentence);
});
