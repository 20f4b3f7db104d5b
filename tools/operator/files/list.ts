import { describeList } from '../lists/described-list.ts';
import { files } from './fields.ts';
import { fileStatuses, listFiles, readFiles } from './file.ts';

/** List of files. The status of a file is the state of its syncing. */
export const fileList = describeList(
  {
    entity: files,
    about: 'A file gets its content from clients of its organisation, while syncing is enabled.',
    example: '--local file list --organisation acme --since 7d',
    statuses: fileStatuses,
  },
  { list: listFiles, read: readFiles },
);
