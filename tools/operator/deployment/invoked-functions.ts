import type { OutputName } from '../../../contract/internal/stack-outputs.ts';

/**
 * Functions that people run by hand, by the stack output with their name. `name` is the name for people: the folder in
 * `lambdas/`. `minutes` is the time limit of one run: `Timeout` of the function in the template.
 */
export const invokedFunctions = {
  RecordUploadFunctionName: { name: 'record-upload', minutes: 1 },
  ReconcileUploadsFunctionName: { name: 'reconcile-uploads', minutes: 5 },
  RotateSigningKeyFunctionName: { name: 'signing-keys', minutes: 3 },
} as const satisfies Partial<Record<OutputName, object>>;

/**
 * Extra time to wait for a response after the time limit of the function, for a cold start and a slow
 * network.
 */
const marginMilliseconds = 30_000;

/**
 * Returns the milliseconds to wait for the response of a function.
 *
 * @param minutes time limit of the function
 */
export function responseLimit(minutes: number): number {
  return minutes * 60_000 + marginMilliseconds;
}
