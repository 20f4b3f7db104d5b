import { quoted } from '../text.ts';
import type { SigningKey } from './signing-key.ts';

/** What a rotation means for everybody who verifies tokens. */
export const rotationNote =
  'The new key signs within five minutes. The old key stays published until its last token has expired, so that no request fails.';

/** What happens when every key that has signed is revoked. */
export const revokeAllNote =
  'Every access token issued so far becomes invalid, and clients must get a new one.';

/** Says which tokens a revocation of the key makes invalid, and which key signs afterwards. */
export function describeRevocation({ kid, state, signs, since, until }: SigningKey): string {
  const key = quoted(kid);
  if (state === 'next') {
    return `${key} is the next key and has not signed yet: all access tokens stay valid.`;
  }
  if (state === 'current') {
    return `${key} signs now. Every access token that it signed since ${since} becomes invalid, and clients must get a new one. The next key signs within five minutes; until then, new tokens may be refused.`;
  }
  if (signs) {
    return `${key} still signs. Every access token that it signed becomes invalid, and clients must get a new one. The current key signs from now on.`;
  }
  const end = until === undefined ? 'after the rotation' : `at ${until}`;
  return `${key} is retired. Its access tokens that have not expired become invalid. Without a revocation, it leaves the key set ${end}.`;
}
