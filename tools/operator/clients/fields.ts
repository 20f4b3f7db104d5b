import { defineEntity } from '../description/entity.ts';
import { changeFields, id, opaque, shown, state, text, time } from '../description/field.ts';
import { type Client, type ClientSecret, type ClientWithSecret, statusOf } from './client.ts';

/** Fields of a client in tables, details and CSV. */
export const clients = defineEntity<Client>()({
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
    ...changeFields,
    revoked_at: time('Revoked'),
    suspended_at: time('Suspended'),
    deleted_at: time('Deleted'),
    undeleted_at: time('Undo began'),
    delete_after: time('Record kept until'),
    secrets: shown('Secret ID', 'lines', ({ secrets }) => secrets.map(secretText)),
  },
  main: 'name',
  listed: ['client_id', 'status', 'name', 'organisation_id', 'scopes', 'created_at'],
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
  ],
});

function secretText({ secret_id, created_at, ends_at }: ClientSecret): string {
  return `${secret_id}, created ${created_at}, ${ends_at === undefined ? 'no end' : `ends ${ends_at}`}`;
}

/** Fields of a client with a new secret. */
export const clientsWithSecret = defineEntity<ClientWithSecret>()({
  noun: 'client',
  main: 'name',
  listed: clients.listed,
  fields: {
    ...clients.fields,
    client_secret: opaque('Client secret'),
    secret_id: opaque('ID of this secret'),
  },
});
