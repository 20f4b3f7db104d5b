import { fileFields } from '../../../operator/csv.ts';
import { type File, fileStatuses, listFiles, readFiles } from '../../../operator/files.ts';
import type { Column } from '../../components/list.tsx';
import { Badge, Bytes, Id, Text, Time } from '../../components/text.tsx';
import { path } from '../../http/respond.tsx';
import { IdLink } from '../shared/links.tsx';
import { listPages } from '../shared/list-pages.tsx';

/** Whether clients can sync into a file. */
export function FileStatus({ file }: { readonly file: File }) {
  if (file.deleted_at !== undefined) {
    return <Badge tone="bad">deleted</Badge>;
  }
  return file.sync_enabled ? <Badge tone="good">enabled</Badge> : <Badge tone="plain">disabled</Badge>;
}

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

/** The list of files. */
export const fileList = listPages({
  name: 'files',
  noun: 'file',
  title: 'Files',
  columns: fileColumns,
  filters: [
    { name: 'q', label: 'Id or name' },
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
  create: { address: '/files/+new', label: 'Create a file' },
  about: 'A file takes what clients of its organisation upload, when syncing is enabled.',
});
