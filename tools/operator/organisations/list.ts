import type { EntityList } from '../lists/list.ts';
import { organisations } from './fields.ts';
import { type Organisation, readOrganisations } from './organisation.ts';

/** List of organisations, with the numbers of their clients and files. */
export const organisationList: EntityList<Organisation> = {
  entity: organisations,
  about: 'A new client or file creates its organisation. Deleted organisations are left out.',
  example: '--local organisation list --json',
  filters: [],
  source: async (deployment) => ({ readPart: (place) => readOrganisations(deployment, place) }),
};
