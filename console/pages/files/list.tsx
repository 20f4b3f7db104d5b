import { Hono } from 'hono';
import { fileFields } from '../../../cli/admin/commands/list-csv.ts';
import {
  type File,
  type FileSelection,
  fileStatuses,
  listFiles,
  readFiles,
} from '../../../cli/operations/files.ts';
import { Choice, Field } from '../../components/form.tsx';
import { type Column, Empty, Exports, Filters, List, Pager } from '../../components/list.tsx';
import { Bytes, Id, Text, Time } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { exportList } from '../../http/export.ts';
import { readListing } from '../../http/listing.ts';
import { page, path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { ListingSummary } from '../shared/listing-summary.tsx';
import { FileStatus } from './file-parts.tsx';

/** The list of files, and its export. */
export const listPages = new Hono<Env>();

/** The columns of a list of files. */
export const fileColumns: readonly Column<File>[] = [
  {
    heading: 'Name',
    cell: (file) => (
      <a href={path('files', file.file_id)}>
        <Text of={file.name} />
      </a>
    ),
  },
  { heading: 'File ID', cell: (file) => <Id of={file.file_id} /> },
  { heading: 'Organisation', cell: (file) => <IdLink to="organisations" id={file.organisation_id} /> },
  { heading: 'Syncing', cell: (file) => <FileStatus file={file} /> },
  { heading: 'Size', cell: (file) => <Bytes of={file.content?.size} short />, align: 'right' },
  { heading: 'Content from', cell: (file) => <Time of={file.content?.completed_at} /> },
  { heading: 'Created', cell: (file) => <Time of={file.created_at} /> },
];

listPages.get('/', async (c) => {
  const { deployment } = c.var.console;
  const selection = selectionOf(c);
  const listing = await readListing(c, (place) => readFiles(deployment, selection, place));
  const { q, organisation, status } = c.req.query();
  return page(
    c,
    { title: 'Files' },
    <>
      <div class="bar">
        <FileFilters q={q} organisation={organisation} status={status} />
        <p>
          <a class="button primary" href={newFile(organisation)}>
            Create a file
          </a>
        </p>
      </div>
      {listing.entries.length === 0 && listing.next === undefined && listing.isFirst ? (
        <NoFiles isFiltered={Boolean(q || organisation || status)} />
      ) : (
        <>
          <ListingSummary listing={listing} noun="file" />
          {listing.entries.length > 0 && <List label="Files" columns={fileColumns} rows={listing.entries} />}
          <Pager first={listing.first} next={listing.nextPage} />
          <Exports
            csv={withQuery('/files/+export.csv', { q, organisation, status })}
            json={withQuery('/files/+export.json', { q, organisation, status })}
          />
        </>
      )}
    </>,
  );
});

for (const file of ['/+export.csv', '/+export.json']) {
  listPages.get(file, (c) => {
    const pages = listFiles(c.var.console.deployment, selectionOf(c));
    return exportList(c, { name: 'files', pages, fields: fileFields });
  });
}

/** Address of the form that creates a file. */
export function newFile(organisation?: string): string {
  return withQuery('/files/+new', { organisation });
}

function selectionOf(c: PageContext): FileSelection {
  const { q, organisation, status } = c.req.query();
  return {
    text: q?.trim() || undefined,
    organisationId: organisation?.trim() || undefined,
    status: fileStatuses.find((known) => known === status),
  };
}

function FileFilters(given: {
  q: string | undefined;
  organisation: string | undefined;
  status: string | undefined;
}) {
  return (
    <Filters action="/files">
      <Field name="q" label="Id or name" value={given.q} />
      <Field name="organisation" label="Organisation" value={given.organisation} />
      <Choice
        name="status"
        label="Syncing"
        value={given.status}
        options={[
          { value: '', label: 'any' },
          ...fileStatuses.map((status) => ({ value: status, label: status })),
        ]}
      />
    </Filters>
  );
}

function NoFiles({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No file matches.">
      <p>
        <a href="/files">Show all files</a>
      </p>
    </Empty>
  ) : (
    <Empty title="There are no files yet.">
      <p>A file takes what clients of its organisation upload, when syncing is enabled.</p>
      <p>
        <a class="button primary" href={newFile()}>
          Create the first file
        </a>
      </p>
    </Empty>
  );
}
