import { Hono } from 'hono';
import { readClients } from '../../../operator/clients/client.ts';
import { readFiles } from '../../../operator/files/file.ts';
import { parseNewIdentifier } from '../../../operator/parse-input.ts';
import { type Column, Newest } from '../../components/list.tsx';
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
      <Newest
        title="Clients"
        columns={withoutOrganisation(clientColumns)}
        rows={clients.entries}
        all={clients.next && of('/clients')}
        none="This organisation has no clients."
      />
      <Newest
        title="Files"
        columns={withoutOrganisation(fileColumns)}
        rows={files.entries}
        all={files.next && of('/files')}
        none="This organisation has no files."
      />
    </>,
  );
});

function withoutOrganisation<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter(({ heading }) => heading !== 'Organisation');
}
