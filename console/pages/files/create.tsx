import { Hono } from 'hono';
import { createFile } from '../../../cli/operations/files.ts';
import { parseName, parseNewIdentifier } from '../../../cli/operations/parse-input.ts';
import { quoted } from '../../../cli/text.ts';
import { Checks, Field, Form, FormErrors } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, type Form as FormValues, messageOfCommandError, readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** The form that creates a file. */
export const createPages = new Hono<Env>();

createPages.get('/+new', (c) => {
  const organisation = c.req.query('organisation');
  return createPage(c, organisation === undefined ? {} : { organisation: [organisation] }, {});
});

createPages.post('/+new', async (c) => {
  const form = await readForm(c);
  const id = form.id?.[0]?.trim() ?? '';
  const checked = checkForm({
    organisation: () => parseNewIdentifier(form.organisation?.[0]?.trim() ?? '', 'organisation'),
    name: () => parseName(form.name?.[0] ?? ''),
    id: () => (id === '' ? undefined : parseNewIdentifier(id, 'file')),
  });
  if (!checked.ok) {
    return createPage(c, form, checked.errors);
  }
  const { organisation, name, id: fileId } = checked.values;
  try {
    const file = await createFile(c.var.console.deployment, {
      organisationId: organisation,
      name,
      syncEnabled: form.sync?.includes('enabled') === true,
      ...(fileId !== undefined && { fileId }),
    });
    c.var.session.flash = { text: `The file ${quoted(file.file_id)} was created.` };
    return c.redirect(path('files', file.file_id), 303);
  } catch (error) {
    // The id is taken: the form comes back with what was entered.
    return createPage(c, form, { id: messageOfCommandError(error) });
  }
});

function createPage(c: PageContext, form: FormValues, errors: Readonly<Record<string, string>>) {
  const isWrong = Object.keys(errors).length > 0;
  return page(
    c,
    { title: 'Create a file', status: isWrong ? 422 : 200 },
    <>
      <FormErrors errors={errors} />
      <Form action="/files/+new" label="Create the file" cancel="/files">
        <Field
          name="organisation"
          label="Organisation"
          help="Only clients of this organisation reach the file. It cannot be changed later."
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
        <Field
          name="id"
          label="File ID"
          help="Clients have it in their requests. 1 to 128 characters of A-Z a-z 0-9 . _ - ~, or empty for a random one."
          error={errors.id}
          value={form.id?.[0]}
        />
        <Checks
          name="sync"
          label="Syncing"
          values={form.sync ?? []}
          options={[{ value: 'enabled', label: 'Let clients request upload URLs immediately' }]}
        />
      </Form>
    </>,
  );
}
