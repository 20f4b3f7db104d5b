import type { InputValues } from '../../operator/description/question.ts';
import type { PageContext } from './environment.ts';

/** Reads the fields of a form, each with its values. */
export async function readForm(c: PageContext): Promise<InputValues> {
  const form = new URLSearchParams(await c.req.text());
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}
