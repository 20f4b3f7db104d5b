import { Hono } from 'hono';
import { getFile, renameFile } from '../../../cli/operations/files.ts';
import { parseName } from '../../../cli/operations/parse-input.ts';
import { requireNotDeleted } from '../../../cli/operations/tables.ts';
import { quoted } from '../../../cli/text.ts';
import { Field, Form, FormErrors } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** The change of a file's name. */
export const namePages = new Hono<Env>();

const addressOf = (id: string, ...rest: readonly string[]) => path('files', id, ...rest);

namePages.get('/:id/name', async (c) => {
  const file = await getFile(c.var.console.deployment, c.req.param('id'));
  requireNotDeleted('file', file.file_id, file);
  return namePage(c, file.file_id, file.name, {});
});

namePages.post('/:id/name', async (c) => {
  const id = c.req.param('id');
  const form = await readForm(c);
  const given = form.name?.[0] ?? '';
  const checked = checkForm({ name: () => parseName(given) });
  if (!checked.ok) {
    return namePage(c, id, given, checked.errors);
  }
  const before = await getFile(c.var.console.deployment, id);
  const undone = form.undone?.[0];
  if (undone !== undefined && undone !== before.name) {
    c.var.session.flash = {
      text: `The file is now called ${quoted(before.name)}, so it was not changed back: somebody else renamed it.`,
    };
    return c.redirect(addressOf(id), 303);
  }
  await renameFile(c.var.console.deployment, id, checked.values.name);
  c.var.session.flash = {
    text: `The file is now called ${quoted(checked.values.name)}.`,
    undo: {
      label: 'Undo',
      action: addressOf(id, 'name'),
      fields: { name: before.name, undone: checked.values.name },
    },
  };
  return c.redirect(addressOf(id), 303);
});

function namePage(c: PageContext, id: string, name: string, errors: Readonly<Record<string, string>>) {
  return page(
    c,
    { title: 'Rename a file', status: errors.name === undefined ? 200 : 422 },
    <>
      <FormErrors errors={errors} />
      <Form action={addressOf(id, 'name')} label="Rename" cancel={addressOf(id)}>
        <Field
          name="name"
          label="Name"
          help="Its id, its content and its upload URLs stay as they are."
          error={errors.name}
          value={name}
          required
        />
      </Form>
    </>,
  );
}
