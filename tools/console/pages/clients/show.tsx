import { Hono } from 'hono';
import { clientActions } from '../../../operator/clients/actions.ts';
import { getClient } from '../../../operator/clients/client.ts';
import { clients } from '../../../operator/clients/fields.ts';
import { uploads } from '../../../operator/uploads/fields.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { readUploads } from '../../../operator/uploads/upload.ts';
import { ActionButtons } from '../../components/actions.tsx';
import { EntityDetails, entityColumns, NamesScope } from '../../components/entity.tsx';
import { Newest } from '../../components/list.tsx';
import { Time } from '../../components/text.tsx';
import { withQuery } from '../../http/addresses.ts';
import { timeLimit } from '../../http/clock.ts';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

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
  const beside = <ActionButtons actions={clientActions} of={client} id={client_id} />;
  return page(
    c,
    { title: client.name, beside },
    <NamesScope.Provider value={await namesFor(deployment, entries)}>
      <EntityDetails
        entity={clients}
        of={client}
        more={[
          ['Last upload', last && <Time of={last.issued_at} exact />],
          // Tokens are issued without a record, and verified without a database.
          ['Last token', <span class="muted">not recorded, only logged</span>],
        ]}
      />
      <Newest
        title="Latest uploads"
        columns={entityColumns(uploads, 'client_id', 'organisation_id')}
        rows={entries}
        all={next && withQuery('/uploads', { client: client_id })}
        none={none}
      />
    </NamesScope.Provider>,
  );
});
