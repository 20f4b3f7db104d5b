import { spoken } from '../../operator/description/noun.ts';
import { findById, type Hit } from '../../operator/search.ts';
import { soughtText } from '../../operator/sought-text.ts';
import { hideSecrets } from '../../operator/text.ts';
import { Later } from '../components/detail.tsx';
import { List, MainLink } from '../components/list.tsx';
import { Id } from '../components/text.tsx';
import { entityAddress, withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { goTo, page } from '../http/respond.tsx';

/** Finds what has an id, and opens a single hit. If nothing has the id, shows the clients and files with the text. */
export async function searchPage(c: PageContext) {
  const entered = c.req.query('q') ?? '';
  if (hideSecrets(entered) !== entered) {
    // The redirect replaces the address, so that the secret does not stay in it.
    return goTo(c, '/search', {
      says: 'Do not search for secrets or signed URLs: addresses stay in the history of the browser. Nothing was searched for.',
    });
  }
  const text = soughtText(entered);
  if (text === '') {
    return page(c, { title: 'Search' }, <p class="muted">Enter any id, or a part of a name, above.</p>);
  }
  const hits = await findById(c.var.console.deployment, text);
  const [first, ...others] = hits;
  if (first !== undefined && others.length === 0) {
    return goTo(c, addressOf(first), { says: 'Found by its id. Names were not searched.' });
  }
  const title = 'Search';
  return page(c, { title }, hits.length === 0 ? <Names text={text} /> : <Hits of={hits} text={text} />);
}

/** The lists of clients and files with the text. Each is loaded after the page, and says how far it was searched. */
function Names({ text }: { readonly text: string }) {
  return (
    <>
      <p class="muted">Nothing has this id.</p>
      <h2>Clients with this text</h2>
      <Later id="clients" address={withQuery('/clients', { q: text })} />
      <h2>Files with this text</h2>
      <Later id="files" address={withQuery('/files', { q: text })} />
    </>
  );
}

function Hits({ of, text }: { readonly of: readonly Hit[]; readonly text: string }) {
  return (
    <>
      <List
        label="What was found"
        columns={[
          { heading: 'What', cell: ({ kind }) => spoken(kind) },
          { heading: 'Name', cell: (hit) => <MainLink href={addressOf(hit)} of={hit.name ?? hit.id} /> },
          { heading: 'ID', class: 'wide-only', cell: ({ id }) => <Id of={id} copy /> },
        ]}
        rows={of}
      />
      <p class="muted">
        Names were not searched: see the <a href={withQuery('/clients', { q: text })}>clients</a> and{' '}
        <a href={withQuery('/files', { q: text })}>files</a> with this text.
      </p>
    </>
  );
}

function addressOf({ kind, id }: Hit): string {
  return entityAddress(kind, id);
}
