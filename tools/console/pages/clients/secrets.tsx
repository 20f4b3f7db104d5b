import { Hono } from 'hono';
import { maximumLiveSecrets } from '../../../../storage/client.ts';
import { type Client, type ClientWithSecret, getClient } from '../../../operator/clients/client.ts';
import { addSecret, removeSecret } from '../../../operator/clients/secrets.ts';
import { ActionButton } from '../../components/form.tsx';
import { Empty, Newest } from '../../components/list.tsx';
import { CopyButton, Id, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { confirmPage, goTo, page, path } from '../../http/respond.tsx';

/** What changes the secrets of a client. */
export const secretPages = new Hono<Env>();

/** The secrets of a client without their values, which nobody has, and how to change one without a refused request. */
export function Secrets({ client: { client_id, secrets, deleted_at } }: { readonly client: Client }) {
  const to = (...rest: readonly string[]) => path('clients', client_id, 'secrets', ...rest);
  return (
    <>
      <Newest
        title="Secrets"
        columns={[
          { heading: 'Secret ID', cell: ({ secret_id }) => <Id of={secret_id} short copy /> },
          { heading: 'Created', cell: ({ created_at }) => <Time of={created_at} /> },
          {
            heading: 'Ends',
            cell: ({ ends_at }) => (ends_at === undefined ? 'no end' : <Time of={ends_at} />),
          },
          {
            heading: 'Change',
            cell: ({ secret_id }) => (
              <a class="risky" href={to(secret_id, 'remove')}>
                Remove
              </a>
            ),
          },
        ]}
        rows={secrets}
        none="This client has no secrets."
      />
      {deleted_at === undefined && secrets.length < maximumLiveSecrets && (
        <>
          <p class="muted">
            To change the secret without a refused request, add a second one: both work. Set it in every copy
            of the application, and make sure there that each has got a token with it: the service does not
            record which secret a token was issued for. Then remove the old one.
          </p>
          <ActionButton action={to('add')} label="Add a second secret" />
        </>
      )}
    </>
  );
}

/** Goes to the page that shows a new secret this one time. */
export function showSecretOnce(c: PageContext, client: ClientWithSecret): Response {
  const address = path('clients', client.client_id, 'secrets', client.secret_id, 'new');
  c.var.session.unseenSecrets.set(address, client.client_secret);
  return goTo(c, address);
}

secretPages.get('/:id/secrets/:secret/new', async (c) => {
  const { client_id, name } = await getClient(c.var.console.deployment, c.req.param('id'));
  const { unseenSecrets } = c.var.session;
  const secret = unseenSecrets.get(c.req.path);
  unseenSecrets.delete(c.req.path);
  return page(
    c,
    { title: `New secret of ${name}` },
    <>
      {secret === undefined ? (
        <Empty title="The secret was shown before.">
          <p>It cannot be shown again. If nobody saved it, add another secret and remove this one.</p>
        </Empty>
      ) : (
        <div class="note warning">
          <p>
            <strong>Save the client secret now.</strong> It cannot be shown again: only its digest is stored.
          </p>
          <p>
            <code id="secret" translate="no">
              {secret}
            </code>{' '}
            <CopyButton text={secret} what="the client secret" />
          </p>
        </div>
      )}
      <p>
        Client ID: <Id of={client_id} copy />
      </p>
      <p>
        <a class="button" href={path('clients', client_id)}>
          Go to the client
        </a>
      </p>
    </>,
  );
});

secretPages.post('/:id/secrets/add', async (c) =>
  showSecretOnce(c, await addSecret(c.var.console.deployment, c.req.param('id'))),
);

secretPages.get('/:id/secrets/:secret/remove', async (c) => {
  const { id, secret } = c.req.param();
  const { name } = await getClient(c.var.console.deployment, id);
  const title = `Remove a secret of ${name}`;
  return confirmPage(
    c,
    { title, label: 'Remove the secret', danger: true, back: path('clients', id) },
    <p>
      The secret <Id of={secret} /> ends immediately. An application that still uses it gets no new token.
      This cannot be undone.
    </p>,
  );
});

secretPages.post('/:id/secrets/:secret/remove', async (c) => {
  const { id, secret } = c.req.param();
  await removeSecret(c.var.console.deployment, id, secret);
  return goTo(c, path('clients', id), `The secret ${secret} was removed.`);
});
