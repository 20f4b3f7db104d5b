import { getClient } from '../clients/client.ts';
import { getFile } from '../files/file.ts';
import { sharedFilters } from '../lists/filters.ts';
import type { EntityList } from '../lists/list.ts';
import { type ShownUpload, uploads } from './fields.ts';
import { uploadSource, uploadStates } from './upload.ts';

/** List of uploads. */
export const uploadList: EntityList<ShownUpload> = {
  entity: uploads,
  about: 'An upload begins when a client requests an upload URL for a file.',
  isLive: true,
  example: '--local upload list --file orders --status completed --since 7d',
  filters: [
    { name: 'file', label: 'File ID', about: 'uploads of this file' },
    { name: 'client', label: 'Client ID', about: 'uploads of this client' },
    { name: 'request', label: 'Request ID', about: 'the upload whose URL was issued to this request' },
    ...sharedFilters('upload', uploadStates, 'issued'),
  ],
  source: async (deployment, { file, client, ...values }) => {
    // For an unknown id, an empty list would wrongly suggest that the file has no uploads.
    if (file !== undefined) {
      await getFile(deployment, file);
    }
    const found = client === undefined ? undefined : await getClient(deployment, client);
    // A client belongs to one organisation, and an index lists the uploads of an organisation.
    const organisation = values.organisation ?? found?.organisation_id;
    return uploadSource(deployment, { ...values, file, client, organisation });
  },
};
