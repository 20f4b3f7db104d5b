import { getClient } from '../clients/client.ts';
import { getFile } from '../files/file.ts';
import { describeList } from '../lists/described-list.ts';
import { uploads } from './fields.ts';
import { listUploads, readUploads, uploadStates } from './upload.ts';

/** List of uploads. */
export const uploadList = describeList(
  {
    entity: uploads,
    about: 'An upload begins when a client asks for an upload URL for a file.',
    example: '--local upload list --file orders --status completed --since 7d',
    statuses: uploadStates,
    more: [
      { name: 'file', label: 'File ID', about: 'uploads of this file' },
      { name: 'client', label: 'Client ID', about: 'uploads of this client' },
      {
        name: 'request',
        label: 'Request ID',
        about: 'the upload whose URL was issued to this request',
      },
    ],
    begins: 'issued',
  },
  { list: listUploads, read: readUploads },
  async (deployment, given) => {
    const { file, client } = given;
    // For an unknown id, an empty list would wrongly suggest that the file has no uploads.
    if (file !== undefined) {
      await getFile(deployment, file);
    }
    const found = client === undefined ? undefined : await getClient(deployment, client);
    // A client belongs to one organisation, and an index lists the uploads of an organisation.
    return { ...given, organisation: given.organisation ?? found?.organisation_id };
  },
);
