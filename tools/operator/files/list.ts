import { describeList } from '../lists/described-list.ts';
import { files } from './fields.ts';
import { fileStatuses, listFiles, readFiles } from './file.ts';

/** The list of files. The status of a file is whether syncing is enabled. */
export const fileList = describeList(
  {
    entity: files,
    about: 'A file gets its content from clients of its organisation, while syncing is enabled.',
    example: '--local file list --organisation acme --since 7d',
    statuses: fileStatuses,
  },
  { list: listFiles, read: readFiles },
);
