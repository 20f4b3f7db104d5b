import { Hono } from 'hono';
import {
  type Count,
  type OrganisationCounts,
  readOrganisations,
} from '../../../operator/organisations/organisation.ts';
import { type Column, Empty, List, MainLink } from '../../components/list.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';

/** All organisations, with what they have. */
export const organisationList = new Hono<Env>();

const rowsOnPage = 50;

const columns: readonly Column<OrganisationCounts>[] = [
  {
    heading: 'Organisation',
    cell: ({ organisation_id: id }) => <MainLink href={path('organisations', id)} of={id} />,
  },
  { heading: 'Clients', class: 'right', cell: ({ clients }) => numberOf(clients) },
  { heading: 'Files', class: 'right', cell: ({ files }) => numberOf(files) },
];

function numberOf({ count, isPartial }: Count): string {
  return isPartial ? `at least ${count}` : String(count);
}

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
        <List label="Organisations" columns={columns} rows={organisations} />
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
