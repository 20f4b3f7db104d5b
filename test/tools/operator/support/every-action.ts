import { clientActions, clientCreation } from '../../../../tools/operator/clients/actions.ts';
import type { AnyAction } from '../../../../tools/operator/description/action.ts';
import type { InputValues } from '../../../../tools/operator/description/question.ts';
import { fileActions, fileCreation } from '../../../../tools/operator/files/actions.ts';
import { organisationActions } from '../../../../tools/operator/organisations/actions.ts';
import { allKeysActions, signingKeyActions } from '../../../../tools/operator/signing-keys/actions.ts';
import { allUploadsActions, uploadActions } from '../../../../tools/operator/uploads/actions.ts';

/** All actions of an operator. A test checks that no verb of a noun is missing. */
export const everyAction: readonly AnyAction[] = [
  clientCreation,
  ...clientActions,
  fileCreation,
  ...fileActions,
  ...uploadActions,
  ...allUploadsActions,
  ...organisationActions,
  ...allKeysActions,
  ...signingKeyActions,
];

/** Valid answers to the questions of every action. */
export const validResponses: InputValues = {
  organisation: ['acme'],
  name: ['Nightly export'],
  scope: ['sync:create'],
  grace: ['7d'],
  secretId: ['secret_1'],
  id: ['orders'],
};
