import { updateFileName } from '../../../storage/file.ts';
import { changeItem } from '../deployment/items.ts';
import { onAll, one, onOne } from '../description/action.ts';
import {
  asksName,
  asksOrganisation,
  asksRecreation,
  asksText,
  asksWhether,
} from '../description/question.ts';
import { parseNewIdentifier } from '../parse-input.ts';
import { quoted } from '../text.ts';
import { planFileDeletion } from './delete.ts';
import { disableSync, planDisableAndCancel } from './disable.ts';
import { files, type ShownFile } from './fields.ts';
import { createFile, fileOf, setSyncEnabled } from './file.ts';

const isNotDeleted = ({ deleted_at }: ShownFile) => deleted_at === undefined;

export const createsFile = onAll('file', 'create', {
  title: 'Create a file',
  about: 'Create a file for an organisation.',
  example: '--local file create --organisation acme --name orders.csv --id orders --sync-enabled',
  asks: {
    organisation: asksOrganisation,
    name: asksName,
    id: {
      ...asksText(
        'File ID',
        'the file id that clients send in requests: 1 to 128 characters of A-Z a-z 0-9 . _ - ~ (default: a random id)',
        (text) => (text === '' ? undefined : parseNewIdentifier(text, 'file')),
        '<file-id>',
      ),
      isRequired: false,
    },
    syncEnabled: asksWhether('Syncing', 'let clients request upload URLs for the file immediately'),
    recreateOrganisation: asksRecreation,
  },
  does: async ({ deployment }, _, { organisation: organisationId, id: fileId, ...asked }) => {
    const file = await createFile(deployment, { organisationId, fileId, ...asked });
    return { says: `The file ${quoted(file.file_id)} was created.`, shows: one(files, file) };
  },
});

/** Actions on a file, in display order. */
export const fileActions = [
  onOne(files, 'rename', {
    title: 'Rename the file',
    about: 'Change the display name of a file. Its id, its content and its upload URLs stay as they are.',
    asks: { name: asksName },
    given: ({ name }) => ({ name: [name] }),
    isOffered: isNotDeleted,
    does: async ({ deployment }, id, { name }) => {
      const { item } = await changeItem(deployment, 'file', id, updateFileName(id, name));
      return { says: 'The file was renamed.', shows: one(files, fileOf(item)) };
    },
  }),

  onOne(files, 'enable-sync', {
    title: 'Enable syncing',
    about: 'Let clients request upload URLs for a file.',
    isOffered: (file) => isNotDeleted(file) && !file.sync_enabled,
    does: async ({ deployment }, id) => {
      const { item, changed } = await setSyncEnabled(deployment, id, true);
      return {
        says: changed
          ? 'Syncing is enabled. Clients can request upload URLs for this file.'
          : `Syncing was already enabled for ${quoted(id)}. Nothing was changed.`,
        shows: one(files, fileOf(item)),
      };
    },
  }),

  onOne(files, 'disable-sync', {
    title: 'Disable syncing',
    about:
      'Stop issuing upload URLs for a file. Upload URLs already issued still work until they expire, unless you cancel ' +
      'them too. A cancelled URL responds with 412. If the action fails or is stopped, repeat it: that is safe.',
    example: '--local file disable-sync orders --cancel-uploads',
    asks: {
      cancelUploads: asksWhether('Upload URLs', 'cancel every outstanding upload URL of the file as well'),
    },
    isOffered: isNotDeleted,
    isLong: true,
    plans: async (work, id, { cancelUploads }) =>
      cancelUploads ? planDisableAndCancel(work, id) : { run: (running) => disableSync(running, id) },
  }),

  onOne(files, 'delete', {
    title: 'Delete the file',
    about:
      'Delete a file, its content and its uploads. Clients get 404 for the file immediately. Its outstanding upload URLs ' +
      'are cancelled and then respond with 412. AWS removes the content and the records after the time that the setting ' +
      'supersededRetentionDays says. This cannot be undone. If the deletion fails or is stopped, repeat it: that is safe.',
    // An operator can repeat a deletion that was interrupted.
    isOffered: ({ delete_after }) => delete_after === undefined,
    isRisky: true,
    isLong: true,
    plans: planFileDeletion,
  }),
];
