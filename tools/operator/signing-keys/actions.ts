import { entityAction, entityView, generalAction, listView } from '../description/action.ts';
import { counted, quoted } from '../text.ts';
import { revocations, signingKeys } from './fields.ts';
import {
  getSigningKey,
  listSigningKeys,
  requireUsableNextKey,
  revokeSigningKeys,
  rotateSigningKey,
  type SigningKey,
} from './signing-key.ts';

/** Effect of a rotation on verifiers of tokens. */
const rotationNote =
  'The new key signs within five minutes. The old key stays published until its last token has expired, so that no request fails.';

/** Effect of a revocation of all keys. */
const revokeAllNote =
  'Every access token issued so far becomes invalid, and clients must get a new one. No verifier knows the new key yet: ' +
  'new tokens may get 401 from this API for up to five minutes, from verifiers that obey Cache-Control for up to 11 minutes, ' +
  'and from verifiers with a longer cache for 20 minutes to two hours.';

/** Other keys that a thief may know. */
const leakNote =
  'A thief with access to the token function has no other key that can sign. A thief with the permissions of the signing-keys function has the current and the next key: then use signing-key revoke-all.';

/** Actions on a signing key. */
export const signingKeyActions = [
  entityAction(signingKeys, 'revoke', {
    title: 'Revoke the key',
    about: `Remove a leaked signing key from the key set immediately. Access tokens that the key signed become invalid within minutes, when all verifiers have read the new key set. ${leakNote}`,
    isRisky: true,
    isLong: true,
    plan: async ({ deployment }, kid) => {
      const key = await getSigningKey(deployment, kid);
      return {
        question: `${describeRevocation(key)} ${leakNote} This revokes the ${key.state} key.`,
        run: async ({ progress }) => {
          const [revoked] = await revokeSigningKeys(deployment, { action: 'revoke', kid }, progress);
          return { message: `The key was revoked. ${leakNote}`, view: entityView(revocations, revoked) };
        },
      };
    },
  }),
];

/** Actions on all signing keys. The rotation is first: the console shows the others apart from it. */
export const allKeysActions = [
  generalAction('signing-key', 'rotate', {
    title: 'Rotate the signing key',
    about: `Start signing with the next key, and create another next key. ${rotationNote}`,
    isLong: true,
    plan: async ({ deployment }) => {
      await requireUsableNextKey(deployment);
      return {
        question: `This rotates the signing key now. ${rotationNote}`,
        run: async (context) => ({
          message: 'The signing key was rotated.',
          view: listView(signingKeys, await rotateSigningKey(deployment, context)),
        }),
      };
    },
  }),

  generalAction('signing-key', 'revoke-all', {
    title: 'Revoke every key',
    about: `Replace the current and the next key by new keys, if both may have leaked. ${revokeAllNote} --yes skips the confirmation.`,
    isRisky: true,
    isLong: true,
    plan: async ({ deployment }) => {
      const keys = await listSigningKeys(deployment);
      return {
        question: `${revokeAllNote} This revokes ${counted(keys.length, 'signing key')}.`,
        run: async ({ progress }) => {
          const revoked = await revokeSigningKeys(deployment, { action: 'revoke-all' }, progress);
          return {
            message: `${counted(revoked.length, 'signing key')} revoked. ${revokeAllNote}`,
            view: listView(revocations, revoked),
          };
        },
      };
    },
  }),
];

/** Describes the effect of a revocation: the tokens that become invalid, and the key that signs afterwards. */
export function describeRevocation({ kid, state, since }: SigningKey): string {
  const key = `${quoted(kid)} is the ${state} key since ${since}.`;
  if (state === 'next') {
    return `${key} It has not signed yet: all access tokens stay valid.`;
  }
  const effect = 'Every access token that it signed becomes invalid, and clients must get a new one.';
  return state === 'current'
    ? `${key} ${effect} The next key signs within five minutes; until then, new tokens may be rejected.`
    : `${key} ${effect} The current key signs.`;
}
