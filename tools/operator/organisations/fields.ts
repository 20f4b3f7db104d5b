import { defineEntity } from '../description/entity.ts';
import { changeFields, id, shown, time } from '../description/field.ts';
import type { Count, Organisation } from './organisation.ts';

/** Fields of an organisation in tables, details and CSV. */
export const organisations = defineEntity<Organisation>()({
  noun: 'organisation',
  fields: {
    organisation_id: id('Organisation'),
    clients: shown('Clients', 'count', ({ clients }) => countText(clients)),
    files: shown('Files', 'count', ({ files }) => countText(files)),
    ...changeFields,
    suspended_at: time('Suspended'),
    deleted_at: time('Deletion began'),
    closed_at: time('Deleted'),
    undeleted_at: time('Undo began'),
    erased_at: time('Erasure began'),
    delete_after: time('Record kept until'),
  },
  main: 'organisation_id',
  listed: ['organisation_id', 'clients', 'files', 'created_at', 'deleted_at'],
});

function countText({ count, isPartial }: Count): string {
  return isPartial ? `at least ${count}` : String(count);
}
