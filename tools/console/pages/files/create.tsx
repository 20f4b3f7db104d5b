import { Hono } from 'hono';
import { OperationError } from '../../../operator/errors.ts';
import { createFile } from '../../../operator/files/file.ts';
import { parseName, parseNewIdentifier } from '../../../operator/parse-input.ts';
import { quoted } from '../../../operator/text.ts';
import { Checks, type Entered, Field } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { formPage, goTo, path } from '../../http/respond.tsx';

/** The form that creates a file. */
export const createPages = new Hono<Env>();

createPages.get('/+new', (c) => createPage(c, { values: c.req.queries(), errors: {} }));

createPages.post('/+new', async (c) => {
  const form = await readForm(c);
  const checked = checkForm(form, {
    organisation: (text) => parseNewIdentifier(text, 'organisation'),
    name: parseName,
    id: (text) => (text === '' ? undefined : parseNewIdentifier(text, 'file')),
    sync: (text) => text === 'enabled',
  });
  if (!checked.ok) {
    return createPage(c, checked.entered);
  }
  const { organisation: organisationId, name, id: fileId, sync: syncEnabled } = checked.values;
  try {
    const { file_id } = await createFile(c.var.console.deployment, {
      organisationId,
      name,
      syncEnabled,
      ...(fileId !== undefined && { fileId }),
    });
    return goTo(c, path('files', file_id), `The file ${quoted(file_id)} was created.`);
  } catch (error) {
    if (!(error instanceof OperationError)) {
      throw error;
    }
    // The id is taken: the form comes back with what was entered.
    return createPage(c, { values: form, errors: { id: error.message } });
  }
});

function createPage(c: PageContext, entered: Entered) {
  return formPage(
    c,
    { title: 'Create a file', label: 'Create the file', back: '/files', entered },
    <>
      <Field
        name="organisation"
        label="Organisation"
        help="Only clients of this organisation reach the file. It cannot be changed later."
        required
      />
      <Field name="name" label="Name" help="For people only." required />
      <Field
        name="id"
        label="File ID"
        help="Clients have it in their requests. 1 to 128 characters of A-Z a-z 0-9 . _ - ~, or empty for a random one."
      />
      <Checks
        name="sync"
        label="Syncing"
        options={[{ value: 'enabled', label: 'Let clients request upload URLs immediately' }]}
      />
    </>,
  );
}
