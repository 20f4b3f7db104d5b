import type { Given } from '../../operator/description/question.ts';
import type { PageContext } from './environment.ts';

/** Reads the fields of a form, each with its values. A body that is no form has no token, so the request is refused. */
export async function readForm(c: PageContext): Promise<Given> {
  const form = new URLSearchParams(await c.req.text());
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}
