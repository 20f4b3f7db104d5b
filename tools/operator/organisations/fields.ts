import { defineEntity } from '../description/entity.ts';
import { changeFields, id, shown, time } from '../description/field.ts';
import { formatBytes } from '../text.ts';
import { countText, type Organisation } from './organisation.ts';

/** Fields of an organisation in tables, details and CSV. */
export const organisations = defineEntity<Organisation>()({
  noun: 'organisation',
  fields: {
    organisation_id: id('Organisation'),
    clients: shown('Clients', 'count', ({ clients }) => clients && countText(clients)),
    files: shown('Files', 'count', ({ files }) => files && countText(files)),
    uploads: shown('Uploads', 'count', ({ uploads }) => uploads && countText(uploads)),
    current_bytes: shown(
      'Current content',
      'count',
      ({ current_bytes: bytes }) => bytes && countText(bytes, formatBytes),
    ),
    kept_bytes: shown(
      'Replaced content',
      'count',
      ({ kept_bytes: bytes }) => bytes && countText(bytes, formatBytes),
    ),
    last_upload_at: time('Last upload URL'),
    ...changeFields,
    deleted_at: time('Deletion began'),
    closed_at: time('Deleted'),
  },
  main: 'organisation_id',
  listed: ['organisation_id', 'clients', 'files', 'created_at', 'suspended_at', 'deleted_at'],
});
