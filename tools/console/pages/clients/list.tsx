import { type Client, clientStatuses, listClients, readClients } from '../../../operator/clients/client.ts';
import { clientFields } from '../../../operator/description/csv.ts';
import { type Column, MainLink } from '../../components/list.tsx';
import { Id, Time } from '../../components/text.tsx';
import { path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { listPages } from '../shared/list-pages.tsx';
import { ClientStatus } from './client-parts.tsx';

/** The columns of a list of clients. */
export const clientColumns: readonly Column<Client>[] = [
  { heading: 'Status', cell: (client) => <ClientStatus client={client} /> },
  {
    heading: 'Name',
    cell: ({ client_id, name }) => <MainLink href={path('clients', client_id)} of={name} />,
  },
  { heading: 'Organisation', cell: (client) => <IdLink to="organisations" id={client.organisation_id} /> },
  { heading: 'Scopes', class: 'wide-only', cell: (client) => client.scopes.join(', ') },
  { heading: 'Created', class: 'wide-only', cell: (client) => <Time of={client.created_at} /> },
  { heading: 'Client ID', class: 'wide-only', cell: (client) => <Id of={client.client_id} short copy /> },
];

/** The list of clients. */
export const clientList = listPages({
  name: 'clients',
  noun: 'client',
  title: 'Clients',
  columns: () => clientColumns,
  filters: [
    { name: 'q', label: 'Name or id' },
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
  actions: ({ organisation }) => (
    <a class="button primary" href={withQuery('/clients/new', { organisation })}>
      Create a client
    </a>
  ),
  about: 'A client is an application that gets access tokens for one organisation.',
});
