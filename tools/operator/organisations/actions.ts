import { onOne } from '../description/action.ts';
import { planOrganisationDeletion } from './delete.ts';
import { organisations } from './fields.ts';

/** Everything that can be done to an organisation. */
export const organisationActions = [
  onOne(organisations, 'delete', {
    title: 'Delete the organisation',
    about:
      'Delete every client and every file of an organisation, as client delete and file delete do. Clients get no ' +
      'token, and 404 for every file, as soon as the deletion begins. This cannot be undone. If it fails or is stopped, ' +
      'repeat it: that is safe.',
    isRisky: true,
    isLong: true,
    isTyped: true,
    plans: planOrganisationDeletion,
  }),
];
