import { entityAction } from '../description/action.ts';
import { planOrganisationDeletion } from './delete.ts';
import { organisations } from './fields.ts';

/** Actions on an organisation. */
export const organisationActions = [
  entityAction(organisations, 'delete', {
    title: 'Delete the organisation',
    about:
      'Delete every client and every file of an organisation. As soon as the deletion begins, the clients get no tokens, ' +
      'and 404 for every file. Outstanding upload URLs are cancelled. This cannot be undone. If the deletion fails or is ' +
      'stopped, repeat it: that is safe.',
    isAvailable: ({ closed_at }) => closed_at === undefined,
    isRisky: true,
    isLong: true,
    isTyped: true,
    plan: planOrganisationDeletion,
  }),
];
