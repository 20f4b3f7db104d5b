import { Hono } from 'hono';
import {
  getClient,
  renameClient,
  restoreClient,
  revokeClient,
  setScopes,
} from '../../../cli/operations/clients.ts';
import { parseScopes } from '../../../cli/operations/parse-input.ts';
import { quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form, FormErrors } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';
import { renamePages } from '../shared/rename.tsx';
import { ScopeChecks } from './client-parts.tsx';

/** The changes of a client that can be undone: name, scopes, revocation. */
export const changePages = new Hono<Env>();

type Errors = Readonly<Record<string, string>>;

const addressOf = (id: string, ...rest: readonly string[]) => path('clients', id, ...rest);

changePages.route(
  '/',
  renamePages({
    noun: 'client',
    section: 'clients',
    help: 'Its id, its secrets and its tokens stay as they are.',
    get: getClient,
    rename: renameClient,
  }),
);

changePages.get('/:id/scopes', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  return scopesPage(c, client.client_id, client.scopes, {});
});

changePages.post('/:id/scopes', async (c) => {
  const id = c.req.param('id');
  // The undo of a change has the scopes in one field, since a field of a button has one value.
  const form = await readForm(c);
  const given = (form.scope ?? []).flatMap((value) => value.split(' '));
  const checked = checkForm({ scope: () => parseScopes(given) });
  if (!checked.ok) {
    return scopesPage(c, id, given, checked.errors);
  }
  const before = await getClient(c.var.console.deployment, id);
  const undone = form.undone?.[0];
  if (undone !== undefined && undone !== before.scopes.join(' ')) {
    c.var.session.flash = {
      text: `The scopes are now ${before.scopes.join(', ')}, so they were not changed back: somebody else changed them.`,
    };
    return c.redirect(addressOf(id), 303);
  }
  const client = await setScopes(c.var.console.deployment, id, checked.values.scope);
  c.var.session.flash = {
    text: `The scopes are now ${client.scopes.join(', ')}. Tokens already issued keep theirs.`,
    undo: {
      label: 'Undo',
      action: addressOf(id, 'scopes'),
      fields: { scope: before.scopes.join(' '), undone: client.scopes.join(' ') },
    },
  };
  return c.redirect(addressOf(id), 303);
});

function scopesPage(c: PageContext, id: string, scopes: readonly string[], errors: Errors) {
  return page(
    c,
    { title: 'Change scopes', status: errors.scope === undefined ? 200 : 422 },
    <>
      <FormErrors errors={errors} />
      <Form action={addressOf(id, 'scopes')} label="Change the scopes" cancel={addressOf(id)}>
        <ScopeChecks values={scopes} error={errors.scope} />
      </Form>
    </>,
  );
}

changePages.get('/:id/revoke', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  return page(
    c,
    { title: 'Revoke a client' },
    <Form
      action={addressOf(client.client_id, 'revoke')}
      label="Revoke the client"
      danger
      cancel={addressOf(client.client_id)}
    >
      <Consequences>
        <p>
          <strong>
            <Text of={client.name} />
          </strong>{' '}
          of organisation <Text of={client.organisation_id} /> gets no new tokens. Tokens already issued work
          until they expire. This can be undone.
        </p>
      </Consequences>
    </Form>,
  );
});

changePages.post('/:id/revoke', async (c) => {
  const id = c.req.param('id');
  const { changed } = await revokeClient(c.var.console.deployment, id);
  c.var.session.flash = changed
    ? {
        text: 'This client gets no new tokens. Tokens already issued work until they expire.',
        undo: { label: 'Undo', action: addressOf(id, 'restore') },
      }
    : { text: `The client ${quoted(id)} was already revoked. Nothing was changed.` };
  return c.redirect(addressOf(id), 303);
});

changePages.get('/:id/restore', async (c) => {
  const client = await getClient(c.var.console.deployment, c.req.param('id'));
  return page(
    c,
    { title: 'Restore a client' },
    <Form
      action={addressOf(client.client_id, 'restore')}
      label="Restore the client"
      cancel={addressOf(client.client_id)}
    >
      <Consequences>
        <p>
          <strong>
            <Text of={client.name} />
          </strong>{' '}
          can get tokens again, with the secrets that it had.
        </p>
      </Consequences>
    </Form>,
  );
});

changePages.post('/:id/restore', async (c) => {
  const id = c.req.param('id');
  const { changed } = await restoreClient(c.var.console.deployment, id);
  c.var.session.flash = {
    text: changed
      ? 'This client can get tokens again.'
      : `The client ${quoted(id)} is not revoked. Nothing was changed.`,
  };
  return c.redirect(addressOf(id), 303);
});
