import { Hono } from 'hono';
import { clientFields } from '../../../cli/admin/commands/list-csv.ts';
import {
  type Client,
  type ClientSelection,
  clientStatuses,
  listClients,
  readClients,
} from '../../../cli/operations/clients.ts';
import { Choice, Field } from '../../components/form.tsx';
import { type Column, Empty, Exports, Filters, List, Pager } from '../../components/list.tsx';
import { Id, Text, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { readListing } from '../../http/listing.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { ListingSummary } from '../shared/listing-summary.tsx';
import { ClientStatus } from './client-parts.tsx';

/** The list of clients, and its export. */
export const listPages = new Hono<Env>();

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

listPages.get('/', async (c) => {
  const { deployment } = c.var.console;
  const selection = selectionOf(c);
  const listing = await readListing(c, (place) => readClients(deployment, selection, place));
  const { q, organisation, status } = c.req.query();
  const isFiltered = Boolean(q || organisation || status);
  return page(
    c,
    { title: 'Clients' },
    <>
      <div class="bar">
        <ClientFilters q={q} organisation={organisation} status={status} />
        <p>
          <a class="button primary" href="/clients/new">
            Create a client
          </a>
        </p>
      </div>
      {listing.entries.length === 0 && listing.next === undefined && listing.isFirst ? (
        <NoClients isFiltered={isFiltered} />
      ) : (
        <>
          <ListingSummary listing={listing} noun="client" />
          {listing.entries.length > 0 && (
            <List label="Clients" columns={clientColumns} rows={listing.entries} />
          )}
          <Pager first={listing.first} next={listing.nextPage} />
          <Exports
            csv={withQuery('/clients/export.csv', { q, organisation, status })}
            json={withQuery('/clients/export.json', { q, organisation, status })}
          />
        </>
      )}
    </>,
  );
});

for (const file of ['/export.csv', '/export.json']) {
  listPages.get(file, (c) => {
    const pages = listClients(c.var.console.deployment, selectionOf(c));
    return exportList(c, { name: 'clients', pages, fields: clientFields });
  });
}

function selectionOf(c: PageContext): ClientSelection {
  const { q, organisation, status } = c.req.query();
  return {
    text: q?.trim() || undefined,
    organisationId: organisation?.trim() || undefined,
    status: clientStatuses.find((known) => known === status),
  };
}

function ClientFilters(given: {
  q: string | undefined;
  organisation: string | undefined;
  status: string | undefined;
}) {
  return (
    <Filters action="/clients">
      <Field name="q" label="Id or name" value={given.q} />
      <Field name="organisation" label="Organisation" value={given.organisation} />
      <Choice
        name="status"
        label="Status"
        value={given.status}
        options={[
          { value: '', label: 'any' },
          ...clientStatuses.map((status) => ({ value: status, label: status })),
        ]}
      />
    </Filters>
  );
}

function NoClients({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No client matches.">
      <p>
        <a href="/clients">Show all clients</a>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no clients yet.">
      <p>A client is an application that gets access tokens for one organisation.</p>
      <p>
        <a class="button primary" href="/clients/new">
          Create the first client
        </a>
      </p>
    </Empty>
  );
}
