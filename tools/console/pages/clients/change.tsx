import { Hono } from 'hono';
import { getClient, restoreClient, revokeClient, setScopes } from '../../../operator/clients/client.ts';
import { parseScopes } from '../../../operator/parse-input.ts';
import { quoted } from '../../../operator/text.ts';
import type { Entered } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { confirmPage, formPage, goTo, path } from '../../http/respond.tsx';
import { ScopeChecks } from './client-parts.tsx';

/** The changes of a client that can be taken back: scopes, revocation. */
export const changePages = new Hono<Env>();

changePages.get('/:id/scopes', async (c) => {
  const { client_id, scopes } = await getClient(c.var.console.deployment, c.req.param('id'));
  return scopesPage(c, client_id, { values: { scope: scopes }, errors: {} });
});

changePages.post('/:id/scopes', async (c) => {
  const { deployment } = c.var.console;
  const id = c.req.param('id');
  const checked = checkForm(await readForm(c), { scope: (_, all) => parseScopes(all) });
  if (!checked.ok) {
    return scopesPage(c, id, checked.entered);
  }
  const before = await getClient(deployment, id);
  const { scopes } = await setScopes(deployment, id, checked.values.scope);
  const text = `The scopes are now ${scopes.join(', ')}. Before, they were ${before.scopes.join(', ')}. Tokens already issued keep theirs.`;
  return goTo(c, path('clients', id), text);
});

function scopesPage(c: PageContext, id: string, entered: Entered) {
  const form = { title: 'Change scopes', label: 'Change the scopes', back: path('clients', id), entered };
  return formPage(c, form, <ScopeChecks />);
}

changePages.get('/:id/revoke', async (c) => {
  const { client_id, name, organisation_id } = await getClient(c.var.console.deployment, c.req.param('id'));
  return confirmPage(
    c,
    { title: 'Revoke a client', label: 'Revoke the client', danger: true, back: path('clients', client_id) },
    <p>
      <strong>
        <Text of={name} />
      </strong>{' '}
      of organisation <Text of={organisation_id} /> gets no new tokens. Tokens already issued work until they
      expire. The client can be restored.
    </p>,
  );
});

changePages.post('/:id/revoke', async (c) => {
  const id = c.req.param('id');
  const { changed } = await revokeClient(c.var.console.deployment, id);
  const text = changed
    ? 'This client gets no new tokens. Tokens already issued work until they expire.'
    : `The client ${quoted(id)} was already revoked. Nothing was changed.`;
  return goTo(c, path('clients', id), text);
});

changePages.post('/:id/restore', async (c) => {
  const id = c.req.param('id');
  const { changed } = await restoreClient(c.var.console.deployment, id);
  const text = changed
    ? 'This client can get tokens again.'
    : `The client ${quoted(id)} is not revoked. Nothing was changed.`;
  return goTo(c, path('clients', id), text);
});
