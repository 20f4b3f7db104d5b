import type { InputValues } from '../../operator/description/question.ts';
import type { PageContext } from './environment.ts';

/**
 * Reads the fields of a form, each with its values. A body that is not a form contains no token, so the
 * request is rejected.
 */
export async function readForm(c: PageContext): Promise<InputValues> {
  const form = new URLSearchParams(await c.req.text());
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}

/**
 * Runs the action of a form once. A repeated form, for example after a double click, gets the same response
 * and message. Only after an error may the form be sent again.
 */
export async function performOnce(c: PageContext, perform: () => Promise<Response>): Promise<Response> {
  const { token: [token = ''] = [] } = await readForm(c);
  const { session } = c.var;
  const { performed } = session;
  const performing =
    performed.get(token) ?? perform().then((response) => ({ response, flash: session.flash }));
  performed.set(token, performing);
  try {
    const { response, flash } = await performing;
    session.flash = flash;
    return response.clone();
  } catch (error) {
    performed.delete(token);
    throw error;
  }
}
