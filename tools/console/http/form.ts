import type { Entered } from '../components/form.tsx';
import type { PageContext } from './environment.ts';

/** The fields of a form, each with its values. */
type Form = Entered['values'];

/** Reads the form of a request. What is no form has no token, so it is refused. */
export async function readForm(c: PageContext): Promise<Form> {
  const form = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of new URLSearchParams(await c.req.text())) {
    form[name] ??= [];
    form[name].push(value);
  }
  return form;
}
