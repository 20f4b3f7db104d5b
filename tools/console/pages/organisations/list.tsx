import { Hono } from 'hono';
import { organisations as described } from '../../../operator/organisations/fields.ts';
import { readOrganisations } from '../../../operator/organisations/organisation.ts';
import { entityColumns } from '../../components/entity.tsx';
import { Empty, List } from '../../components/list.tsx';
import { withQuery } from '../../http/addresses.ts';
import type { Env } from '../../http/environment.ts';
import { page } from '../../http/respond.tsx';

/** All organisations, with what they have. */
export const organisationList = new Hono<Env>();

const rowsOnPage = 50;

organisationList.get('/', async (c) => {
  const after = c.req.query('after') || undefined;
  const { deployment } = c.var.console;
  const { organisations, next } = await readOrganisations(deployment, { after, enough: rowsOnPage });
  return page(
    c,
    { title: 'Organisations' },
    <>
      {organisations.length === 0 && next === undefined ? (
        <Empty title="There are no organisations yet.">
          <p class="muted">An organisation is there when a client or a file names it.</p>
        </Empty>
      ) : (
        <List label="Organisations" columns={entityColumns(described)} rows={organisations} />
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
});
