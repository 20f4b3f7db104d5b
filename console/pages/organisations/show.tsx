import { Hono } from 'hono';
import { compareClients, readClients } from '../../../cli/operations/clients.ts';
import { readFilePortion } from '../../../cli/operations/files.ts';
import { parseNewIdentifier } from '../../../cli/operations/parse-input.ts';
import type { Portion } from '../../../cli/operations/portion.ts';
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

/** The table of clients has no index by organisation. */
const maximumReadMilliseconds = 700;

showPages.get('/:id', async (c) => {
  const { deployment, now } = c.var.console;
  const id = parseNewIdentifier(c.req.param('id'), 'organisation');
  const endsAt = now() + maximumReadMilliseconds;
  const place = { enough: shownRows, isTimeUp: () => now() > endsAt };
  const [clients, files] = await Promise.all([
    readClients(deployment, { organisationId: id }, place),
    readFilePortion(deployment, { organisationId: id }, place),
  ]);
  const sorted = { ...clients, entries: [...clients.entries].sort(compareClients) };
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
        <a class="button" href={path('organisations', id, 'delete')}>
          Delete
        </a>
      </div>
      <Part title="Clients">
        <Some noun="client" portion={sorted} columns={clientColumns} organisation={id} />
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
  const rows = entries.slice(0, shownRows);
  const hasMore = next !== undefined || entries.length > rows.length;
  if (rows.length === 0 && !hasMore) {
    return (
      <p>
        There is no {noun} of organisation <Text of={organisation} />.
      </p>
    );
  }
  return (
    <>
      {rows.length > 0 && (
        <List
          label={noun === 'client' ? 'Clients' : 'Files'}
          columns={columns.filter(({ heading }) => heading !== 'Organisation')}
          rows={rows}
        />
      )}
      {hasMore && (
        <p>
          These are not all.{' '}
          <a href={withQuery(`/${noun}s`, { organisation })}>All {noun}s of this organisation</a>
        </p>
      )}
    </>
  );
}
