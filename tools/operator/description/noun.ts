/**
 * Entities that operators manage. The plural is also a section of the console. `id` is the attribute that
 * identifies an entity. The verbs are the actions on one entity or on all entities.
 */
export const nouns = {
  client: {
    plural: 'clients',
    id: 'client_id',
    verbs: [
      'create',
      'rename',
      'set-scopes',
      'set-addresses',
      'add-secret',
      'rotate-secret',
      'remove-secret',
      'revoke',
      'reinstate',
      'delete',
      'undelete',
    ],
  },
  file: {
    plural: 'files',
    id: 'file_id',
    verbs: ['create', 'rename', 'enable-sync', 'disable-sync', 'set-expected', 'delete', 'undelete'],
  },
  upload: { plural: 'uploads', id: 'upload_id', verbs: ['cancel', 'announce', 'reconcile', 'replay'] },
  organisation: {
    plural: 'organisations',
    id: 'organisation_id',
    verbs: ['suspend', 'resume', 'delete', 'undelete'],
  },
  request: { plural: 'requests', id: 'request_id', verbs: [] },
  'signing-key': { plural: 'signing-keys', id: 'kid', verbs: ['rotate', 'revoke', 'revoke-all'] },
} as const;

export type Noun = keyof typeof nouns;

export type Verb<Of extends Noun = Noun> = (typeof nouns)[Of]['verbs'][number];

/** Returns a noun or its plural as written in a sentence: `signing key`. */
export function spoken(noun: string): string {
  return noun.replace('-', ' ');
}
