import { nameFilter, sharedFilters } from '../lists/filters.ts';
import type { EntityList } from '../lists/list.ts';
import { files, type ShownFile } from './fields.ts';
import { fileSource, fileStatuses } from './file.ts';

/** List of files. The status of a file is the state of its syncing. */
export const fileList: EntityList<ShownFile> = {
  entity: files,
  about: 'A file gets its content from clients of its organisation, while syncing is enabled.',
  example: '--local file list --organisation acme --since 7d',
  filters: [
    nameFilter,
    ...sharedFilters('file', fileStatuses, 'created'),
    {
      name: 'overdue',
      label: 'Overdue',
      about: 'overdue files: no content arrived before their deadline',
      placeholder: '',
      choices: ['true'],
    },
  ],
  source: async (_, values) => fileSource(values),
};
