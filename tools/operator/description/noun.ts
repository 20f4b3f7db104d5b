/** Verbs of the actions on one entity or on all entities, by the noun of the entities that operators manage. */
export const verbs = {
  client: [
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
  file: ['create', 'rename', 'enable-sync', 'disable-sync', 'set-expected', 'delete', 'undelete'],
  upload: ['cancel', 'announce', 'reconcile', 'replay'],
  organisation: ['suspend', 'resume', 'delete', 'undelete'],
  request: [],
  'signing-key': ['rotate', 'revoke', 'revoke-all'],
} as const;

export type Noun = keyof typeof verbs;

export type Verb<Of extends Noun = Noun> = (typeof verbs)[Of][number];

/** Returns the name of the attribute that identifies an entity. */
export function idName(noun: Noun): string {
  return noun === 'signing-key' ? 'kid' : `${noun}_id`;
}

/** Returns a noun or its plural as written in a sentence: `signing key`. */
export function spoken(noun: string): string {
  return noun.replace('-', ' ');
}
