import { clientActions, createsClient } from '../../../../tools/operator/clients/actions.ts';
import type { AnyAction } from '../../../../tools/operator/description/action.ts';
import type { GivenValues } from '../../../../tools/operator/description/question.ts';
import { createsFile, fileActions } from '../../../../tools/operator/files/actions.ts';
import { organisationActions } from '../../../../tools/operator/organisations/actions.ts';
import { keyWork, signingKeyActions } from '../../../../tools/operator/signing-keys/actions.ts';
import { uploadActions, uploadWork } from '../../../../tools/operator/uploads/actions.ts';

/** All actions of an operator. A test checks that no verb of a noun is missing. */
export const everyAction: readonly AnyAction[] = [
  createsClient,
  ...clientActions,
  createsFile,
  ...fileActions,
  ...uploadActions,
  ...uploadWork,
  ...organisationActions,
  ...keyWork,
  ...signingKeyActions,
];

/** Valid answers to the questions of every action. */
export const validResponses: GivenValues = {
  organisation: ['acme'],
  name: ['Nightly export'],
  scope: ['sync:create'],
  grace: ['7d'],
  secretId: ['secret_1'],
  id: ['orders'],
};
