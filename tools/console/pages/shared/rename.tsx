import { Hono } from 'hono';
import type { Deployment } from '../../../operator/deployment/deployment.ts';
import { parseName } from '../../../operator/parse-input.ts';
import { requireNotDeleted } from '../../../operator/tables.ts';
import { quoted } from '../../../operator/text.ts';
import { type Entered, Field } from '../../components/form.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { formPage, goTo, path } from '../../http/respond.tsx';

/** What has a name that can be changed. */
interface Renamed {
  readonly noun: 'client' | 'file';
  /** What does not change with the name. */
  readonly help: string;
  readonly get: (
    deployment: Deployment,
    id: string,
  ) => Promise<{ readonly name: string; readonly deleted_at?: string }>;
  readonly rename: (deployment: Deployment, id: string, name: string) => Promise<unknown>;
}

/** The page `/:id/name`, which changes a name. */
export function renamePages({ noun, help, get, rename }: Renamed): Hono<Env> {
  const pages = new Hono<Env>();
  const addressOf = (id: string) => path(`${noun}s`, id);
  const show = (c: PageContext, id: string, entered: Entered) =>
    formPage(
      c,
      { title: `Rename a ${noun}`, label: 'Rename', back: addressOf(id), entered },
      <Field name="name" label="Name" help={help} required />,
    );

  pages.get('/:id/name', async (c) => {
    const id = c.req.param('id');
    const before = await get(c.var.console.deployment, id);
    requireNotDeleted(noun, id, before);
    return show(c, id, { values: { name: [before.name] }, errors: {} });
  });

  pages.post('/:id/name', async (c) => {
    const { deployment } = c.var.console;
    const id = c.req.param('id');
    const checked = checkForm(await readForm(c), { name: parseName });
    if (!checked.ok) {
      return show(c, id, checked.entered);
    }
    const { name } = checked.values;
    const before = await get(deployment, id);
    await rename(deployment, id, name);
    const text = `The ${noun} is now called ${quoted(name)}. Before, it was ${quoted(before.name)}.`;
    return goTo(c, addressOf(id), text);
  });

  return pages;
}
