import { Hono } from 'hono';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { parseName } from '../../../cli/operations/parse-input.ts';
import { requireNotDeleted } from '../../../cli/operations/tables.ts';
import { quoted } from '../../../cli/text.ts';
import { Field, Form, FormErrors } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** What has a name that can be changed. */
export interface Renamed {
  readonly noun: 'client' | 'file';
  /** First part of its address. */
  readonly section: 'clients' | 'files';
  /** What does not change with the name. */
  readonly help: string;
  readonly get: (
    deployment: Deployment,
    id: string,
  ) => Promise<{ readonly name: string; readonly deleted_at?: string }>;
  readonly rename: (deployment: Deployment, id: string, name: string) => Promise<unknown>;
}

/** The page `/:id/name`, which changes a name, and takes the change back unless somebody else has changed it since. */
export function renamePages(renamed: Renamed): Hono<Env> {
  const { noun, section, get, rename } = renamed;
  const pages = new Hono<Env>();

  pages.get('/:id/name', async (c) => {
    const id = c.req.param('id');
    const before = await get(c.var.console.deployment, id);
    requireNotDeleted(noun, id, before);
    return renamePage(c, renamed, id, before.name, {});
  });

  pages.post('/:id/name', async (c) => {
    const { deployment } = c.var.console;
    const { session } = c.var;
    const id = c.req.param('id');
    const form = await readForm(c);
    const given = form.name?.[0] ?? '';
    const checked = checkForm({ name: () => parseName(given) });
    if (!checked.ok) {
      return renamePage(c, renamed, id, given, checked.errors);
    }
    const before = await get(deployment, id);
    const undone = form.undone?.[0];
    if (undone !== undefined && undone !== before.name) {
      session.flash = {
        text: `The ${noun} is now called ${quoted(before.name)}, so it was not changed back: somebody else renamed it.`,
      };
      return c.redirect(path(section, id), 303);
    }
    const { name } = checked.values;
    await rename(deployment, id, name);
    session.flash = {
      text: `The ${noun} is now called ${quoted(name)}.`,
      undo: {
        label: 'Undo',
        action: path(section, id, 'name'),
        fields: { name: before.name, undone: name },
      },
    };
    return c.redirect(path(section, id), 303);
  });

  return pages;
}

function renamePage(
  c: PageContext,
  { noun, section, help }: Renamed,
  id: string,
  name: string,
  errors: Readonly<Record<string, string>>,
) {
  return page(
    c,
    { title: `Rename a ${noun}`, status: errors.name === undefined ? 200 : 422 },
    <>
      <FormErrors errors={errors} />
      <Form action={path(section, id, 'name')} label="Rename" cancel={path(section, id)}>
        <Field name="name" label="Name" help={help} error={errors.name} value={name} required />
      </Form>
    </>,
  );
}
