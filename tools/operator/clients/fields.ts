import { defineEntity } from '../description/entity.ts';
import { changeFields, id, opaque, shown, state, text, time } from '../description/field.ts';
import { type Client, type ClientSecret, type ClientWithSecret, statusOf } from './client.ts';

/** A client, with its new secret if it was issued just now. */
type ShownClient = Client | ClientWithSecret;

/** Fields of a client in tables, details and CSV. */
export const clients = defineEntity<ShownClient>()({
  noun: 'client',
  fields: {
    client_id: id('Client ID'),
    status: state('Status', statusOf, {
      active: 'good',
      suspended: 'warning',
      revoked: 'bad',
      deleted: 'plain',
    }),
    name: text('Name'),
    organisation_id: id('Organisation', { of: 'organisation' }),
    scopes: text('Scopes'),
    allow_from: text('Allowed from'),
    revoked_at: time('Revoked'),
    ...changeFields,
    secret_ends_at: time('Secret ends'),
    secrets: shown('Secret ID', 'lines', ({ secrets }) => secrets.map(secretText)),
    client_secret: opaque('Client secret'),
    secret_id: opaque('ID of this secret'),
  },
  main: 'name',
  listed: [
    'client_id',
    'status',
    'name',
    'organisation_id',
    'scopes',
    'secret_ends_at',
    'created_at',
    'allow_from',
  ],
  csv: [
    'client_id',
    'organisation_id',
    'name',
    'scopes',
    'status',
    'created_at',
    'revoked_at',
    'deleted_at',
    'delete_after',
    'created_by',
    'updated_at',
    'updated_by',
    'secret_ends_at',
    'allow_from',
  ],
});

/** Describes a secret in one line. */
export function secretText({ secret_id, created_at, ends_at, last_use }: ClientSecret): string {
  const end = ends_at === undefined ? 'no end' : `ends ${ends_at}`;
  return [secret_id, `created ${created_at}`, end, last_use ?? []].flat().join(', ');
}
