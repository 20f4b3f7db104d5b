import { Hono } from 'hono';
import { type Client, getClient } from '../../../operator/clients/client.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { Details } from '../../components/detail.tsx';
import { ActionButton } from '../../components/form.tsx';
import { Newest } from '../../components/list.tsx';
import { Id, Time } from '../../components/text.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { uploadColumns } from '../uploads/upload-parts.tsx';
import { ClientStatus } from './client-parts.tsx';
import { Secrets } from './secrets.tsx';

/** One client. */
export const showPages = new Hono<Env>();

/** So many of its uploads are on the page of a client. */
const shownUploads = 8;

/** A client that uploads seldom among many others must not let its page wait. */
const maximumReadMilliseconds = 700;

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const client = await getClient(deployment, c.req.param('id'));
  const { client_id, organisation_id } = client;
  const { entries, next, isCutShort } = await readUploads(
    deployment,
    { organisationId: organisation_id, clientId: client_id },
    { enough: shownUploads, isTimeUp: timeLimit(now, maximumReadMilliseconds) },
  );
  const [last] = entries;
  const none = isCutShort ? 'None lately.' : 'None yet: the client has not asked for an upload URL.';
  const columns = await uploadColumns(deployment, entries, 'client');
  return page(
    c,
    { title: client.name, beside: <ClientActions client={client} /> },
    <>
      <Details
        rows={[
          ['Status', <ClientStatus client={client} />],
          ['Organisation', <IdLink to="organisations" id={organisation_id} />],
          ['Client ID', <Id of={client_id} copy />],
          ['Scopes', client.scopes.join(', ')],
          ['Last upload', last && <Time of={last.issued_at} exact />],
          // Tokens are issued without a record, and verified without a database.
          ['Last token', <span class="muted">not recorded, only logged</span>],
          ['Created', <Time of={client.created_at} exact />],
          ['Revoked', client.revoked_at && <Time of={client.revoked_at} exact />],
          ['Deleted', client.deleted_at && <Time of={client.deleted_at} exact />],
          ['Kept until', client.delete_after && <Time of={client.delete_after} exact />],
        ]}
      />
      <Secrets client={client} />
      <Newest
        title="Latest uploads"
        columns={columns}
        rows={entries}
        all={next && withQuery('/uploads', { client: client_id })}
        none={none}
      />
    </>,
  );
});

function ClientActions({ client: { client_id, status, deleted_at } }: { readonly client: Client }) {
  const to = (verb: string) => path('clients', client_id, verb);
  return deleted_at !== undefined ? null : (
    <div class="row">
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
    </div>
  );
}
