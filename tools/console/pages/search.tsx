import { spoken } from '../../operator/description/noun.ts';
import { findById } from '../../operator/search.ts';
import { searchTextOf } from '../../operator/search-text.ts';
import { hideSecrets } from '../../operator/text.ts';
import { Later } from '../components/detail.tsx';
import { Id, Text } from '../components/text.tsx';
import { entityAddress, withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { goTo, page } from '../http/respond.tsx';

/**
 * Finds entities by id, and opens a single hit. If no entity has the id, it lists the clients and files that contain
 * the text. Each list is loaded after the page, and shows the position that the search reached.
 */
export async function searchPage(c: PageContext) {
  const entered = c.req.query('q') ?? '';
  if (hideSecrets(entered) !== entered) {
    // The redirect replaces the address, which removes the secret from it.
    return goTo(c, '/search', {
      message:
        'Do not search for secrets or signed URLs: addresses stay in the history of the browser. Nothing was searched for.',
    });
  }
  const text = searchTextOf(entered);
  if (text === '') {
    return page(c, { title: 'Search' }, <p class="muted">Enter any id, or a part of a name, above.</p>);
  }
  const hits = await findById(c.var.console.deployment, text);
  const [first, ...others] = hits;
  if (first !== undefined && others.length === 0) {
    return goTo(c, entityAddress(first.kind, first.id), {
      message: 'Found by its id. Names were not searched.',
    });
  }
  return page(
    c,
    { title: 'Search' },
    <>
      {hits.length === 0 ? (
        <p class="muted">No entity has this id.</p>
      ) : (
        <ul>
          {hits.map(({ kind, id, name = id }) => (
            <li>
              {spoken(kind)}{' '}
              <a href={entityAddress(kind, id)}>
                <Text of={name} />
              </a>{' '}
              <Id of={id} copy />
            </li>
          ))}
        </ul>
      )}
      {!hits.some(({ id }) => id === text) && (
        <>
          <h2>Clients with this text</h2>
          <Later id="clients" address={withQuery('/clients', { name: text })} />
          <h2>Files with this text</h2>
          <Later id="files" address={withQuery('/files', { name: text })} />
        </>
      )}
    </>,
  );
}
