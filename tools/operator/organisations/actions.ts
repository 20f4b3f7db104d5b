import { entityAction } from '../description/action.ts';
import { planOrganisationDeletion } from './delete.ts';
import { organisations } from './fields.ts';
import { undeleteOrganisation } from './undelete.ts';

/** Actions on an organisation. */
export const organisationActions = [
  entityAction(organisations, 'delete', {
    title: 'Delete the organisation',
    about:
      'Delete every client and every file of an organisation. As soon as the deletion begins, the clients get no tokens, ' +
      'and 404 for every file. Outstanding upload URLs are cancelled. Until AWS removes the records, the organisation can be undeleted. If the deletion fails or is ' +
      'stopped, repeat it: that is safe.',
    isAvailable: ({ closed_at }) => closed_at === undefined,
    isRisky: true,
    isLong: true,
    isTyped: true,
    plan: planOrganisationDeletion,
  }),

  entityAction(organisations, 'undelete', {
    title: 'Undelete the organisation',
    about:
      'Undo the deletion of an organisation while its records and its content are kept. The clients and files that it ' +
      'deleted return with their ids, names, scopes and content. Secrets do not return: add one to each client. ' +
      'Cancelled upload URLs stay cancelled. If the action fails or is stopped, repeat it: that is safe.',
    isAvailable: ({ deleted_at, erased_at }) => deleted_at !== undefined && erased_at === undefined,
    isLong: true,
    run: undeleteOrganisation,
  }),
];
