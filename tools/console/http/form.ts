import type { GivenValues } from '../../operator/description/question.ts';
import type { PageContext } from './environment.ts';

/** Reads the fields of a form, each with its values. A body that is no form has no token, so the request is rejected. */
export async function readForm(c: PageContext): Promise<GivenValues> {
  const form = new URLSearchParams(await c.req.text());
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
}

/**
 * Does what a form asks for. If the same form is sent again, as by a second click, nothing is done again: the response and the
 * message are the same. Only after an error the form may be sent again.
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
