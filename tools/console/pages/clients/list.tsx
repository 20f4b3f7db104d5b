import { type Client, clientStatuses, listClients, readClients } from '../../../operator/clients.ts';
import { clientFields } from '../../../operator/csv.ts';
import type { Column } from '../../components/list.tsx';
import { Id, Text, Time } from '../../components/text.tsx';
import { path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { listPages } from '../shared/list-pages.tsx';
import { ClientStatus } from './client-parts.tsx';

/** The columns of a list of clients. */
export const clientColumns: readonly Column<Client>[] = [
  {
    heading: 'Name',
    cell: (client) => (
      <a href={path('clients', client.client_id)}>
        <Text of={client.name} />
      </a>
    ),
  },
  { heading: 'Client ID', cell: (client) => <Id of={client.client_id} /> },
  { heading: 'Organisation', cell: (client) => <IdLink to="organisations" id={client.organisation_id} /> },
  { heading: 'Scopes', cell: (client) => client.scopes.join(', ') },
  { heading: 'Status', cell: (client) => <ClientStatus client={client} /> },
  { heading: 'Created', cell: (client) => <Time of={client.created_at} /> },
];

/** The list of clients. */
export const clientList = listPages({
  name: 'clients',
  noun: 'client',
  title: 'Clients',
  columns: clientColumns,
  filters: [
    { name: 'q', label: 'Id or name' },
    { name: 'organisation', label: 'Organisation' },
    { name: 'status', label: 'Status', options: clientStatuses },
  ],
  select: (_, { q, organisation, status }) => ({
    text: q,
    organisationId: organisation,
    status: clientStatuses.find((known) => known === status),
  }),
  read: readClients,
  all: listClients,
  csv: clientFields,
  create: { address: '/clients/new', label: 'Create a client' },
  about: 'A client is an application that gets access tokens for one organisation.',
});
