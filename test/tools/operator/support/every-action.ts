import type { Action } from '../../../../tools/operator/description/action.ts';
import type { InputValues } from '../../../../tools/operator/description/question.ts';
import { operations } from '../../../../tools/operator/operations.ts';

/** All actions of an operator. A test checks that no verb of a noun is missing. */
export const everyAction: readonly Action[] = Object.values(operations).flatMap(({ general, actions }) => [
  ...general,
  ...actions,
]);

/** Valid answers to the questions of every action. */
export const validResponses: InputValues = {
  organisation: ['acme'],
  name: ['Nightly export'],
  scope: ['sync:create'],
  allowFrom: ['192.0.2.1/32'],
  grace: ['7d'],
  every: ['24h'],
  secretId: ['secret_1'],
  id: ['orders'],
};
