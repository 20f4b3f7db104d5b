import { Hono } from 'hono';
import { readClients } from '../../../operator/clients.ts';
import { readFiles } from '../../../operator/files.ts';
import type { Portion } from '../../../operator/lists.ts';
import { parseNewIdentifier } from '../../../operator/parse-input.ts';
import { Part } from '../../components/detail.tsx';
import { type Column, List } from '../../components/list.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { clientColumns } from '../clients/list.tsx';
import { fileColumns } from '../files/list.tsx';

/** One organisation: its clients and its files. It has no record of its own: it is what clients and files name. */
export const showPages = new Hono<Env>();

const shownRows = 20;

showPages.get('/:id', async (c) => {
  const { deployment } = c.var.console;
  const id = parseNewIdentifier(c.req.param('id'), 'organisation');
  const [clients, files] = await Promise.all([
    readClients(deployment, { organisationId: id }, { enough: shownRows }),
    readFiles(deployment, { organisationId: id }, { enough: shownRows }),
  ]);
  const of = (address: string) => withQuery(address, { organisation: id });
  const beside = (
    <div class="row">
      <a class="button" href={of('/uploads')}>
        Uploads
      </a>
      <a class="button" href={of('/clients/new')}>
        Create a client
      </a>
      <a class="button" href={of('/files/+new')}>
        Create a file
      </a>
      <a class="button risky" href={path('organisations', id, 'delete')}>
        Delete
      </a>
    </div>
  );
  return page(
    c,
    { title: `Organisation ${id}`, beside },
    <>
      <Newest title="Clients" portion={clients} columns={clientColumns} all={of('/clients')} />
      <Newest title="Files" portion={files} columns={fileColumns} all={of('/files')} />
    </>,
  );
});

/** The first rows of a list, and a link to all. */
function Newest<Row>(props: {
  readonly title: string;
  readonly portion: Portion<Row>;
  readonly columns: readonly Column<Row>[];
  readonly all: string;
}) {
  const { title, portion, columns, all } = props;
  return (
    <Part title={title}>
      {portion.entries.length === 0 ? (
        <p>There are none.</p>
      ) : (
        <List
          label={title}
          columns={columns.filter(({ heading }) => heading !== 'Organisation')}
          rows={portion.entries}
        />
      )}
      {portion.next !== undefined && (
        <p>
          These are the newest. <a href={all}>{title} of this organisation</a>
        </p>
      )}
    </Part>
  );
}
