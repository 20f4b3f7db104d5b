import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import { type Hit, search } from '../../operator/search.ts';
import { hideSecrets } from '../../operator/text.ts';
import { Empty, List, MainLink } from '../components/list.tsx';
import { Id } from '../components/text.tsx';
import { path, withQuery } from '../http/addresses.ts';
import { timeLimit } from '../http/clock.ts';
import type { PageContext } from '../http/environment.ts';
import { ErrorText } from '../http/problem.tsx';
import { goTo, page } from '../http/respond.tsx';

/** As long as people wait for a search. */
const searchMilliseconds = 700;

/** Finds what has an id, and clients and files by a part of their name. */
export async function searchPage(c: PageContext) {
  const text = c.req.query('q')?.trim() ?? '';
  if (hideSecrets(text) !== text) {
    // The redirect replaces the address, so that the secret does not stay in it.
    return goTo(
      c,
      '/search',
      'Do not search for secrets: addresses stay in the history of the browser. Nothing was searched for.',
    );
  }
  if (text === '') {
    return page(c, { title: 'Search' }, <p class="muted">Enter any id, or a part of a name, above.</p>);
  }
  const { deployment, now, env } = c.var.console;
  const { hits, errors, isCutShort } = await search(deployment, text, timeLimit(now, searchMilliseconds));
  return page(
    c,
    { title: 'Search' },
    <>
      {hits.length === 0 ? (
        <Empty title="Nothing was found.">
          {isCutShort && (
            <p>
              The text may be the id of an old request.{' '}
              <a href={withQuery('/uploads', { request: text })}>Search all uploads for this request</a>
            </p>
          )}
        </Empty>
      ) : (
        <List
          label="What was found"
          columns={[
            { heading: 'What', cell: ({ kind }) => kind },
            { heading: 'Name', cell: (hit) => <MainLink href={addressOf(hit)} of={hit.name ?? hit.id} /> },
            { heading: 'ID', class: 'wide-only', cell: ({ id }) => <Id of={id} copy /> },
          ]}
          rows={hits}
        />
      )}
      <p class="muted">
        Search further in the lists of <a href={withQuery('/clients', { q: text })}>clients</a> and{' '}
        <a href={withQuery('/files', { q: text })}>files</a>.
      </p>
      {errors.map((error) => (
        <ErrorText error={explainAwsError(error, env)} />
      ))}
    </>,
  );
}

function addressOf({ kind, id }: Hit): string {
  return kind === 'signing key' ? '/signing-keys' : path(`${kind}s`, id);
}
