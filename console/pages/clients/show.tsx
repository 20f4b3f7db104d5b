import { Hono } from 'hono';
import { type Client, getClient } from '../../../cli/operations/clients.ts';
import { Details, Part } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { Id, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { ClientStatus } from './client-parts.tsx';
import { secretColumns } from './secrets.tsx';

/** One client. */
export const showPages = new Hono<Env>();

showPages.get('/:id', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  return page(
    c,
    { title: client.name },
    <>
      <Details
        rows={[
          ['Client ID', <Id of={client.client_id} copy />],
          ['Organisation', <IdLink to="organisations" id={client.organisation_id} />],
          ['Status', <ClientStatus client={client} />],
          ['Scopes', client.scopes.join(', ')],
          ['Created', <Time of={client.created_at} />],
          ['Revoked', client.revoked_at && <Time of={client.revoked_at} />],
          ['Deleted', client.deleted_at && <Time of={client.deleted_at} />],
          ['Kept until', client.delete_after && <Time of={client.delete_after} />],
        ]}
      />
      {client.deleted_at === undefined && <ClientActions client={client} />}
      <Part title="Secrets">
        {client.secrets.length === 0 ? (
          <p>This client has no secrets.</p>
        ) : (
          <List label="Secrets" columns={secretColumns} rows={client.secrets} />
        )}
      </Part>
      <Part title="Uploads">
        <p>
          <a href={withQuery('/uploads', { client: client.client_id })}>Uploads of this client</a>
        </p>
      </Part>
    </>,
  );
});

function ClientActions({ client }: { readonly client: Client }) {
  const to = (...rest: readonly string[]) => path('clients', client.client_id, ...rest);
  return (
    <div class="buttons">
      <a class="button" href={to('name')}>
        Rename
      </a>
      <a class="button" href={to('scopes')}>
        Change scopes
      </a>
      <a class="button" href={to('secrets')}>
        Change the secret
      </a>
      {client.status === 'active' ? (
        <a class="button risky" href={to('revoke')}>
          Revoke
        </a>
      ) : (
        <a class="button" href={to('restore')}>
          Restore
        </a>
      )}
      <a class="button risky" href={to('delete')}>
        Delete
      </a>
    </div>
  );
}
