import { describeList } from '../lists/described-list.ts';
import { clientStatuses, listClients, readClients } from './client.ts';
import { clients } from './fields.ts';

/** List of clients. */
export const clientList = describeList(
  {
    entity: clients,
    about: 'A client is an application that gets access tokens for one organisation.',
    example: '--local client list --organisation acme --status active',
    statuses: clientStatuses,
  },
  { list: listClients, read: readClients },
);
