import { Hono } from 'hono';
import { readClients } from '../../../cli/operations/clients.ts';
import { readFiles } from '../../../cli/operations/files.ts';
import type { Portion } from '../../../cli/operations/newest-first.ts';
import { parseNewIdentifier } from '../../../cli/operations/parse-input.ts';
import { Part } from '../../components/detail.tsx';
import { type Column, List } from '../../components/list.tsx';
import { Text } from '../../components/text.tsx';
import type { Env } from '../../http/environment.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { clientColumns } from '../clients/list.tsx';
import { fileColumns, newFile } from '../files/list.tsx';

/** One organisation: its clients and its files. */
export const showPages = new Hono<Env>();

const shownRows = 20;

showPages.get('/:id', async (c) => {
  const { deployment } = c.var.console;
  const id = parseNewIdentifier(c.req.param('id'), 'organisation');
  const [clients, files] = await Promise.all([
    readClients(deployment, { organisationId: id }, { enough: shownRows }),
    readFiles(deployment, { organisationId: id }, { enough: shownRows }),
  ]);
  return page(
    c,
    { title: `Organisation ${id}` },
    <>
      <div class="buttons">
        <a class="button" href={withQuery('/clients/new', { organisation: id })}>
          Create a client
        </a>
        <a class="button" href={newFile(id)}>
          Create a file
        </a>
        <a class="button" href={withQuery('/uploads', { organisation: id })}>
          Uploads
        </a>
        <a class="button risky" href={path('organisations', id, 'delete')}>
          Delete
        </a>
      </div>
      <Part title="Clients">
        <Some noun="client" portion={clients} columns={clientColumns} organisation={id} />
      </Part>
      <Part title="Files">
        <Some noun="file" portion={files} columns={fileColumns} organisation={id} />
      </Part>
    </>,
  );
});

/** The first rows of a list, and a link to all. */
function Some<Row>({
  noun,
  portion: { entries, next },
  columns,
  organisation,
}: {
  readonly noun: 'client' | 'file';
  readonly portion: Portion<Row>;
  readonly columns: readonly Column<Row>[];
  readonly organisation: string;
}) {
  if (entries.length === 0) {
    return (
      <p>
        There is no {noun} of organisation <Text of={organisation} />.
      </p>
    );
  }
  return (
    <>
      <List
        label={noun === 'client' ? 'Clients' : 'Files'}
        columns={columns.filter(({ heading }) => heading !== 'Organisation')}
        rows={entries}
      />
      {next !== undefined && (
        <p>
          These are the newest.{' '}
          <a href={withQuery(`/${noun}s`, { organisation })}>All {noun}s of this organisation</a>
        </p>
      )}
    </>
  );
}
