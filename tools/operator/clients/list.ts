import { nameFilter, sharedFilters } from '../lists/filters.ts';
import type { EntityList } from '../lists/list.ts';
import { type Client, clientSource, clientStatuses } from './client.ts';
import { clients } from './fields.ts';

/** List of clients. */
export const clientList: EntityList<Client> = {
  entity: clients,
  about: 'A client is an application that gets access tokens for one organisation.',
  example: '--local client list --organisation acme --status active',
  filters: [nameFilter, ...sharedFilters('client', clientStatuses, 'created')],
  source: async (deployment, values) => clientSource(deployment, values),
};
