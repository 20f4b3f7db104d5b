import type { EntityList } from '../lists/list.ts';
import { signingKeys } from './fields.ts';
import { listSigningKeys, type SigningKey } from './signing-key.ts';

/** List of the published signing keys. */
export const signingKeyList: EntityList<SigningKey> = {
  entity: signingKeys,
  order: 'the current key first',
  about: 'The current, the next and the retired keys are published. Private keys are never shown.',
  example: '--local signing-key list',
  filters: [],
  source: async (deployment) => ({
    readPart: async () => {
      const entries = await listSigningKeys(deployment);
      return { entries, next: undefined, isCutShort: false, read: entries.length };
    },
  }),
};
