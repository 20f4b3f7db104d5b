import { Hono } from 'hono';
import { createClient } from '../../../cli/operations/clients.ts';
import { parseName, parseNewIdentifier, parseScopes } from '../../../cli/operations/parse-input.ts';
import { Field, Form, FormErrors } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, type Form as FormValues, readForm } from '../../http/form.ts';
import { page } from '../../http/respond.tsx';
import { ScopeChecks } from './client-parts.tsx';
import { showSecretOnce } from './secrets.tsx';

/** The form that creates a client. */
export const createPages = new Hono<Env>();

const action = '/clients/new';

createPages.get('/new', (c) => {
  const organisation = c.req.query('organisation');
  return createPage(c, organisation === undefined ? {} : { organisation: [organisation] }, {});
});

createPages.post('/new', async (c) => {
  const form = await readForm(c);
  const checked = checkForm({
    organisation: () => parseNewIdentifier(form.organisation?.[0]?.trim() ?? '', 'organisation'),
    name: () => parseName(form.name?.[0] ?? ''),
    scope: () => parseScopes(form.scope ?? []),
  });
  if (!checked.ok) {
    return createPage(c, form, checked.errors);
  }
  const { organisation, name, scope } = checked.values;
  const client = await createClient(c.var.console.deployment, {
    organisationId: organisation,
    name,
    scopes: scope,
  });
  return showSecretOnce(c, client);
});

function createPage(c: PageContext, form: FormValues, errors: Readonly<Record<string, string>>) {
  const isWrong = Object.keys(errors).length > 0;
  return page(
    c,
    { title: 'Create a client', status: isWrong ? 422 : 200 },
    <>
      <FormErrors errors={errors} />
      <Form action={action} label="Create the client" cancel="/clients">
        <Field
          name="organisation"
          label="Organisation"
          help="The client reaches the files of this organisation only. It cannot be changed later."
          error={errors.organisation}
          value={form.organisation?.[0]}
          required
        />
        <Field
          name="name"
          label="Name"
          help="For people only. It can be changed."
          error={errors.name}
          value={form.name?.[0]}
          required
        />
        <ScopeChecks values={form.scope ?? []} error={errors.scope} />
      </Form>
    </>,
  );
}
