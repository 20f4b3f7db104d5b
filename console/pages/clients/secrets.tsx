import { Hono } from 'hono';
import { addSecret, removeSecret, rotateSecret } from '../../../cli/operations/client-secrets.ts';
import { type ClientSecret, type ClientWithSecret, getClient } from '../../../cli/operations/clients.ts';
import { parseDuration } from '../../../cli/operations/parse-input.ts';
import { Consequences, SecretOnce, Timeline } from '../../components/detail.tsx';
import { ActionButton, Field, Form, FormErrors } from '../../components/form.tsx';
import { type Column, Empty, List } from '../../components/list.tsx';
import { Id, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** The secrets of a client, and how to change one without a refused request. */
export const secretPages = new Hono<Env>();

/** The columns of a list of secrets, without their values, which nobody has. */
export const secretColumns: readonly Column<ClientSecret>[] = [
  { heading: 'Secret ID', cell: ({ secret_id }) => <Id of={secret_id} /> },
  { heading: 'Created', cell: ({ created_at }) => <Time of={created_at} /> },
  { heading: 'Ends', cell: ({ ends_at }) => (ends_at === undefined ? 'no end' : <Time of={ends_at} />) },
];

/** Goes to the page that shows a new secret this one time. */
export function showSecretOnce(c: PageContext, client: ClientWithSecret): Response {
  const address = path('clients', client.client_id, 'secrets', client.secret_id, 'new');
  c.var.session.unseenSecrets.set(address, client.client_secret);
  return c.redirect(address, 303);
}

secretPages.get('/:id/secrets/:secret/new', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  const { unseenSecrets } = c.var.session;
  const secret = unseenSecrets.get(c.req.path);
  unseenSecrets.delete(c.req.path);
  const back = path('clients', client.client_id);
  return page(
    c,
    { title: `New secret of ${client.name}` },
    <>
      {secret === undefined ? (
        <Empty title="The secret was shown before.">
          <p>It cannot be shown again. If nobody saved it, add another secret and remove this one.</p>
        </Empty>
      ) : (
        <SecretOnce secret={secret} fileName={`${client.client_id}-secret.txt`} />
      )}
      <p>
        Client ID: <Id of={client.client_id} copy />
      </p>
      <div class="buttons">
        <a class="button" href={client.secrets.length > 1 ? `${back}/secrets` : back}>
          {client.secrets.length > 1 ? 'Next: hand it over' : 'Go to the client'}
        </a>
      </div>
    </>,
  );
});

secretPages.get('/:id/secrets', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  const now = new Date(c.var.console.now()).toISOString();
  const live = client.secrets.filter(({ ends_at }) => ends_at === undefined || ends_at > now);
  const base = path('clients', client.client_id, 'secrets');
  const hasTwo = live.length > 1;
  return page(
    c,
    { title: `Change the secret of ${client.name}` },
    <>
      <Timeline
        events={[
          {
            title: 'Add a second secret',
            state: hasTwo ? 'done' : 'now',
            text: hasTwo ? undefined : (
              <>
                <p>Both secrets work from then on, so no request fails meanwhile.</p>
                <ActionButton action={`${base}/add`} label="Add a second secret" />
              </>
            ),
          },
          {
            title: 'Hand it over',
            state: hasTwo ? 'now' : 'coming',
            text: (
              <>
                <p>Set the new secret in every copy of the application.</p>
                <p>
                  The service does not record which of the two secrets a token was issued for. So make sure in
                  the application itself that every copy has the new one and has got a token since, before you
                  remove the old one.
                </p>
              </>
            ),
          },
          {
            title: 'Remove the old secret',
            state: hasTwo ? 'now' : 'coming',
            text: hasTwo && (
              <ul class="plain">
                {live.map(({ secret_id, created_at }, index) => (
                  <li>
                    <a href={`${base}/${encodeURIComponent(secret_id)}/remove`}>Remove</a>{' '}
                    <Id of={secret_id} />, created <Time of={created_at} />
                    {index === live.length - 1 && ', the new one'}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      {!hasTwo && (
        <p>
          Or <a href={`${base}/rotate`}>do it in one step</a>: the old secret ends by itself after some time.
        </p>
      )}
      <List label="Secrets" columns={secretColumns} rows={client.secrets} />
      <p>
        <a href={path('clients', client.client_id)}>Go back to the client</a>
      </p>
    </>,
  );
});

secretPages.post('/:id/secrets/add', async (c) =>
  showSecretOnce(c, await addSecret(c.var.console.deployment, c.req.param('id'))),
);

secretPages.get('/:id/secrets/rotate', (c) => rotatePage(c, c.req.param('id'), '7d', {}));

secretPages.post('/:id/secrets/rotate', async (c) => {
  const id = c.req.param('id');
  const given = (await readForm(c)).grace?.[0]?.trim() ?? '';
  const checked = checkForm({ grace: () => parseDuration(given) });
  if (!checked.ok) {
    return rotatePage(c, id, given, checked.errors);
  }
  return showSecretOnce(c, await rotateSecret(c.var.console.deployment, id, checked.values.grace));
});

async function rotatePage(
  c: PageContext,
  id: string,
  grace: string,
  errors: Readonly<Record<string, string>>,
) {
  const client = await getClient(c.var.console.deployment, id);
  return page(
    c,
    { title: `Replace the secret of ${client.name}`, status: errors.grace === undefined ? 200 : 422 },
    <>
      <FormErrors errors={errors} />
      <Form
        action={path('clients', id, 'secrets', 'rotate')}
        label="Replace the secret"
        cancel={path('clients', id, 'secrets')}
      >
        <Field
          name="grace"
          label="Keep the old secret working for"
          help="A number and s, m, h or d: from 0s, which ends it immediately, to 365d."
          error={errors.grace}
          value={grace}
          required
        />
      </Form>
    </>,
  );
}

secretPages.get('/:id/secrets/:secret/remove', async (c) => {
  const { id, secret } = c.req.param();
  const client = await getClient(c.var.console.deployment, id);
  return page(
    c,
    { title: `Remove a secret of ${client.name}` },
    <Form
      action={path('clients', id, 'secrets', secret, 'remove')}
      label="Remove the secret"
      danger
      cancel={path('clients', id, 'secrets')}
    >
      <Consequences>
        <p>
          The secret <Id of={secret} /> ends immediately. An application that still uses it gets no new token.
          This cannot be undone.
        </p>
      </Consequences>
    </Form>,
  );
});

secretPages.post('/:id/secrets/:secret/remove', async (c) => {
  const { id, secret } = c.req.param();
  await removeSecret(c.var.console.deployment, id, secret);
  c.var.session.flash = { text: `The secret ${secret} was removed.` };
  return c.redirect(path('clients', id), 303);
});
