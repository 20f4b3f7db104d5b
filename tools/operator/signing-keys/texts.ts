import { quoted } from '../text.ts';
import type { SigningKey } from './signing-key.ts';

/** Effect of a rotation on verifiers of tokens. */
export const rotationNote =
  'The new key signs within five minutes. The old key stays published until its last token has expired, so that no request fails.';

/** Effect of a revocation of all keys. */
export const revokeAllNote =
  'Every access token issued so far becomes invalid, and clients must get a new one. No verifier knows the new key yet: ' +
  'new tokens may get 401 from this API for up to five minutes, from verifiers that obey Cache-Control for up to 11 minutes, ' +
  'and from verifiers with a longer cache for 20 minutes to two hours.';

/** Other keys that a thief may know. */
export const currentKeyLeakNote =
  'A thief with access to the token function has no other key that can sign. A thief with the permissions of the signing-keys function has the next key too: then use signing-key revoke-all.';

const nextKeyLeakNote =
  'The token function cannot read the next key. A thief of the next key had the permissions of the signing-keys function, and has the current key too: then use signing-key revoke-all.';

/** Returns the note about the other keys that the thief of this key may know. */
export function leakNote(state: SigningKey['state']): string {
  return state === 'next' ? nextKeyLeakNote : currentKeyLeakNote;
}

/**
 * Describes the effect of a revocation: the tokens that become invalid, and the key that signs afterwards.
 */
export function describeRevocation({ kid, state, signs, since, until }: SigningKey): string {
  const key = quoted(kid);
  if (state === 'next') {
    return `${key} is the next key and has not signed yet: all access tokens stay valid.`;
  }
  if (state === 'current') {
    return `${key} signs now. Every access token that it signed since ${since} becomes invalid, and clients must get a new one. The next key signs within five minutes; until then, new tokens may be rejected.`;
  }
  if (signs) {
    return `${key} still signs. Every access token that it signed becomes invalid, and clients must get a new one. The current key signs from now on.`;
  }
  const end = until === undefined ? 'after the rotation' : `at ${until}`;
  return `${key} is retired. Its access tokens that have not expired become invalid. Without a revocation, it leaves the key set ${end}.`;
}
