import { organisations as described } from '../../../operator/organisations/fields.ts';
import { readOrganisations } from '../../../operator/organisations/organisation.ts';
import { FirstSteps } from '../../components/actions.tsx';
import { entityColumns } from '../../components/entity.tsx';
import { List } from '../../components/list.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

const rowsOnPage = 50;

/** All organisations, with the numbers of their clients and files. */
export async function listOrganisations(c: PageContext) {
  const after = c.req.query('after') || undefined;
  const { deployment } = c.var.console;
  const { entries, next } = await readOrganisations(deployment, { after, limit: rowsOnPage });
  return page(
    c,
    { title: 'Organisations' },
    <>
      {entries.length === 0 && next === undefined ? (
        <FirstSteps about="There are no organisations to show. A new client or file creates its organisation." />
      ) : (
        <List label="Organisations" columns={entityColumns(described)} rows={entries} />
      )}
      {next !== undefined && (
        <p>
          <a class="button" rel="next" href={withQuery('/organisations', { after: next })}>
            Next
          </a>
        </p>
      )}
    </>,
  );
}
