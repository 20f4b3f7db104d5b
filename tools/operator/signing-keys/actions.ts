import { entityAction, entityView, generalAction, listView } from '../description/action.ts';
import { counted } from '../text.ts';
import { revocations, signingKeys } from './fields.ts';
import { revokeAllSigningKeys, revokeSigningKey } from './revoke.ts';
import { getSigningKey, listSigningKeys, requireUsableNextKey, rotateSigningKey } from './signing-key.ts';
import { currentKeyLeakNote, describeRevocation, leakNote, revokeAllNote, rotationNote } from './texts.ts';

/** Actions on a signing key. */
export const signingKeyActions = [
  entityAction(signingKeys, 'revoke', {
    title: 'Revoke the key',
    about: `Remove a leaked signing key from the key set immediately. Access tokens that the key signed become invalid within minutes, when all verifiers have read the new key set. ${currentKeyLeakNote}`,
    isRisky: true,
    isLong: true,
    plan: async ({ deployment }, kid) => {
      const key = await getSigningKey(deployment, kid);
      const note = leakNote(key.state);
      return {
        question: `${describeRevocation(key)} ${note} This revokes the ${key.state} key.`,
        run: async ({ progress }) => ({
          message: `The key was revoked. ${note}`,
          view: entityView(revocations, await revokeSigningKey(deployment, kid, progress)),
        }),
      };
    },
  }),
];

/** Actions on all signing keys. */
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
          const revoked = await revokeAllSigningKeys(deployment, progress);
          return {
            message: `${counted(revoked.length, 'signing key')} revoked. ${revokeAllNote}`,
            view: listView(revocations, revoked),
          };
        },
      };
    },
  }),
];
