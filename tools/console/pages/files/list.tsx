import { fileFields } from '../../../operator/description/csv.ts';
import { type File, fileStatuses, listFiles, readFiles } from '../../../operator/files/file.ts';
import { type Column, MainLink } from '../../components/list.tsx';
import { Bytes, Id, Tag, Time } from '../../components/text.tsx';
import { path, withQuery } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { listPages } from '../shared/list-pages.tsx';

/** Whether clients can sync into a file. */
export function FileStatus({ file }: { readonly file: File }) {
  if (file.deleted_at !== undefined) {
    return <Tag>deleted</Tag>;
  }
  return file.sync_enabled ? <Tag tone="good">enabled</Tag> : <Tag tone="warning">disabled</Tag>;
}

/** The columns of a list of files. */
export const fileColumns: readonly Column<File>[] = [
  { heading: 'Syncing', cell: (file) => <FileStatus file={file} /> },
  { heading: 'Name', cell: ({ file_id, name }) => <MainLink href={path('files', file_id)} of={name} /> },
  { heading: 'Organisation', cell: (file) => <IdLink to="organisations" id={file.organisation_id} /> },
  { heading: 'Size', class: 'right wide-only', cell: (file) => <Bytes of={file.content?.size} short /> },
  { heading: 'Content from', class: 'wide-only', cell: (file) => <Time of={file.content?.completed_at} /> },
  { heading: 'Created', class: 'wide-only', cell: (file) => <Time of={file.created_at} /> },
  { heading: 'File ID', class: 'wide-only', cell: (file) => <Id of={file.file_id} short copy /> },
];

/** The list of files. */
export const fileList = listPages({
  name: 'files',
  noun: 'file',
  title: 'Files',
  columns: () => fileColumns,
  filters: [
    { name: 'q', label: 'Name or id' },
    { name: 'organisation', label: 'Organisation' },
    { name: 'status', label: 'Syncing', options: fileStatuses },
  ],
  select: (_, { q, organisation, status }) => ({
    text: q,
    organisationId: organisation,
    status: fileStatuses.find((known) => known === status),
  }),
  read: readFiles,
  all: listFiles,
  csv: fileFields,
  actions: ({ organisation }) => (
    <a class="button primary" href={withQuery('/files/+new', { organisation })}>
      Create a file
    </a>
  ),
  about: 'A file takes what clients of its organisation upload, when syncing is enabled.',
});
