import { type ApiDescription, readApiDescription } from '../../../cli/operations/api/api-description.ts';
import type { ConsoleContext, PageContext } from '../../http/environment.ts';

const freshMilliseconds = 60_000;

const read = new WeakMap<ConsoleContext, { readonly at: number; readonly description: ApiDescription }>();

/** The description of the API, read again after a minute. */
export async function descriptionOf(c: PageContext): Promise<ApiDescription> {
  const { console } = c.var;
  const known = read.get(console);
  if (known !== undefined && console.now() - known.at < freshMilliseconds) {
    return known.description;
  }
  const description = await readApiDescription(console.deployment);
  read.set(console, { at: console.now(), description });
  return description;
}
