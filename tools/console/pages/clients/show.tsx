import { clientActions } from '../../../operator/clients/actions.ts';
import { getClient, statusOf } from '../../../operator/clients/client.ts';
import { clients } from '../../../operator/clients/fields.ts';
import { readPage } from '../../../operator/lists/read.ts';
import { uploadSource } from '../../../operator/uploads/upload.ts';
import { ActionButtons, availableActions } from '../../components/actions.tsx';
import { EntityDetails } from '../../components/entity.tsx';
import { liveUploads, shownUploads } from '../../components/uploads.tsx';
import { actionAddress, withQuery } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { isPoll } from '../../http/guard.ts';
import { page } from '../../http/respond.tsx';

/**
 * Maximum number of the organisation's uploads that the page reads. One read of their index costs seven read
 * units.
 */
const maxRead = 300;

/** One client. */
export async function showClient(c: PageContext, id: string) {
  const { deployment } = c.var.console;
  const client = await getClient(deployment, id);
  const { client_id, organisation_id, secrets } = client;
  const selection = { organisation: organisation_id, client: client_id };
  const { entries, next, isCutShort } = await readPage(deployment, uploadSource(deployment, selection), {
    limit: shownUploads,
    isTimeUp: (read) => read >= maxRead,
    isPoll: isPoll(c),
  });
  const none = isCutShort ? 'No recent uploads.' : 'There are no uploads to show.';
  // Each secret gets its own link.
  const buttons = availableActions(c, clientActions, client).filter(({ verb }) => verb !== 'remove-secret');
  const removals = secrets.map(({ secret_id: secretId }) => (
    <a
      class="button risky"
      href={withQuery(actionAddress('client', 'remove-secret', client_id), { secretId })}
    >
      {secretId}
    </a>
  ));
  const beside = <ActionButtons actions={buttons} id={client_id} />;
  const all = next && withQuery('/uploads', { client: client_id });
  const details = (
    <>
      <EntityDetails entity={clients} of={client} />
      {statusOf(client) === 'active' && (
        <form method="get" action={actionAddress('client', 'guide', client_id)} class="row">
          <input name="contact" placeholder="Whom to contact" aria-label="Whom to contact" />
          <button type="submit">Guide for the developers</button>
        </form>
      )}
      {secrets.length > 1 && <div class="row">Remove a secret: {removals}</div>}
    </>
  );
  const part = await liveUploads(c, {
    title: 'Latest uploads',
    rows: entries,
    all,
    none,
    above: details,
    without: ['client_id', 'organisation_id'],
  });
  return page(c, { title: client.name, beside }, part);
}
