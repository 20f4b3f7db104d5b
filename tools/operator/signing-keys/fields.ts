import type { Revocation } from '../../../storage/revocation.ts';
import { defineEntity } from '../description/entity.ts';
import { id, opaque, shown, state, text, time } from '../description/field.ts';
import type { SigningKey } from './signing-key.ts';

/** Fields of a signing key in tables and details. The private part is never shown. */
export const signingKeys = defineEntity<SigningKey>()({
  noun: 'signing-key',
  fields: {
    kid: id('Key ID'),
    state: state('State', ({ state }) => state, { current: 'good', next: 'info', retired: 'plain' }),
    signs: shown('Signs', 'text', ({ signs }) => (signs ? 'yes' : undefined)),
    algorithm: text('Algorithm'),
    since: time('Since'),
    usable_from: time('May sign from'),
    until: time('Published until'),
    version: opaque('Version of the secret'),
  },
  listed: ['kid', 'state', 'signs', 'algorithm', 'since', 'usable_from', 'until'],
});

/** Fields of the revocation of a signing key. */
export const revocations = defineEntity<Revocation>()({
  noun: 'signing-key',
  fields: {
    kid: id('Key ID'),
    revoked_at: time('Revoked'),
    signing_kid: opaque('Key that signs now'),
    rejected_from: time('API rejects its tokens at the latest from'),
    rejected_by_clients_from: time('Clients reject its tokens at the latest from'),
    tokens_until: time('Last of its tokens expires'),
  },
  listed: ['kid', 'revoked_at', 'rejected_from', 'rejected_by_clients_from'],
});
