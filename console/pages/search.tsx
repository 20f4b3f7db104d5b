import { Hono } from 'hono';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { NotFoundError } from '../../cli/errors.ts';
import { getClient } from '../../cli/operations/clients.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { Empty } from '../components/list.tsx';
import { Text } from '../components/text.tsx';
import type { Env } from '../http/environment.ts';
import { page, path, withQuery } from '../http/respond.tsx';

/** The search of the header: an id leads to its page, and anything else to the lists in which it may be. */
export const search = new Hono<Env>();

search.get('/', async (c) => {
  const text = (c.req.query('q') ?? '').trim();
  for (const { noun, find } of kinds) {
    if (isIdentifier(text) && (await exists(c.var.console.deployment, text, find))) {
      return c.redirect(path(`${noun}s`, text), 303);
    }
  }
  return page(
    c,
    { title: 'Search' },
    <Empty title={text === '' ? 'Enter an id, or a part of a name.' : 'Nothing has this id.'}>
      {text !== '' && (
        <ul class="plain">
          {kinds.map(({ noun }) => (
            <li>
              <a href={withQuery(`/${noun}s`, { q: text })}>
                Look for <Text of={text} /> in the list of {noun}s
              </a>
            </li>
          ))}
        </ul>
      )}
    </Empty>,
  );
});

type Find = (deployment: Deployment, id: string) => Promise<unknown>;

const kinds: readonly { readonly noun: string; readonly find: Find }[] = [
  { noun: 'client', find: getClient },
];

async function exists(deployment: Deployment, id: string, find: Find): Promise<boolean> {
  try {
    await find(deployment, id);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) {
      return false;
    }
    throw error;
  }
}
