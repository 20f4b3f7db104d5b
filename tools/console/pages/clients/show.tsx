import { Hono } from 'hono';
import { type Client, getClient } from '../../../operator/clients.ts';
import { Details } from '../../components/detail.tsx';
import { ActionButton } from '../../components/form.tsx';
import { Id, Time } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { ClientStatus } from './client-parts.tsx';
import { Secrets } from './secrets.tsx';

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
      <ClientActions client={client} />
      <Secrets client={client} />
    </>,
  );
});

function ClientActions({ client: { client_id, status, deleted_at } }: { readonly client: Client }) {
  const to = (verb: string) => path('clients', client_id, verb);
  return (
    <div class="buttons">
      <a class="button" href={withQuery('/uploads', { client: client_id })}>
        Uploads
      </a>
      {deleted_at === undefined && (
        <>
          <a class="button" href={to('name')}>
            Rename
          </a>
          <a class="button" href={to('scopes')}>
            Change scopes
          </a>
          {status === 'active' ? (
            <a class="button risky" href={to('revoke')}>
              Revoke
            </a>
          ) : (
            <ActionButton action={to('restore')} label="Restore" />
          )}
          <a class="button risky" href={to('delete')}>
            Delete
          </a>
        </>
      )}
    </div>
  );
}
