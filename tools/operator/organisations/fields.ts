import { describe } from '../description/entity.ts';
import { id, shown } from '../description/field.ts';
import type { Count, OrganisationCounts } from './organisation.ts';

/** What people see of an organisation. It has no record of its own: clients and files name it. */
export const organisations = describe<OrganisationCounts>()({
  noun: 'organisation',
  fields: {
    organisation_id: id('Organisation'),
    clients: shown('Clients', 'count', ({ clients }) => countText(clients)),
    files: shown('Files', 'count', ({ files }) => countText(files)),
  },
  main: 'organisation_id',
  listed: ['organisation_id', 'clients', 'files'],
});

function countText({ count, isPartial }: Count): string {
  return isPartial ? `at least ${count}` : String(count);
}
