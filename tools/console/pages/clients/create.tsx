import { Hono } from 'hono';
import { createClient } from '../../../operator/clients/client.ts';
import { parseName, parseNewIdentifier, parseScopes } from '../../../operator/parse-input.ts';
import { type Entered, Field } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { formPage } from '../../http/respond.tsx';
import { ScopeChecks } from './client-parts.tsx';
import { showSecretOnce } from './secrets.tsx';

/** The form that creates a client. */
export const createPages = new Hono<Env>();

createPages.get('/new', (c) => createPage(c, { values: c.req.queries(), errors: {} }));

createPages.post('/new', async (c) => {
  const checked = checkForm(await readForm(c), {
    organisation: (text) => parseNewIdentifier(text, 'organisation'),
    name: parseName,
    scope: (_, all) => parseScopes(all),
  });
  if (!checked.ok) {
    return createPage(c, checked.entered);
  }
  const { organisation: organisationId, name, scope: scopes } = checked.values;
  return showSecretOnce(c, await createClient(c.var.console.deployment, { organisationId, name, scopes }));
});

function createPage(c: PageContext, entered: Entered) {
  return formPage(
    c,
    { title: 'Create a client', label: 'Create the client', back: '/clients', entered },
    <>
      <Field
        name="organisation"
        label="Organisation"
        help="The client reaches the files of this organisation only. It cannot be changed later."
        required
      />
      <Field name="name" label="Name" help="For people only." required />
      <ScopeChecks />
    </>,
  );
}
