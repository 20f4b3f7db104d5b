import type { OutputName } from '../../../lib/stack-outputs.ts';

interface InvokedFunction {
  /** What people call the function: its folder in `lambdas/`. */
  readonly name: string;
  /** How long one run may take: `Timeout` of the function in the template. */
  readonly minutes: number;
}

/** The functions that people run by hand, by the outputs that name them. */
export const invokedFunctions = {
  RecordUploadFunctionName: { name: 'record-upload', minutes: 1 },
  ReconcileUploadsFunctionName: { name: 'reconcile-uploads', minutes: 5 },
  RotateSigningKeyFunctionName: { name: 'signing-keys', minutes: 3 },
} as const satisfies Partial<Record<OutputName, InvokedFunction>>;

/** How long to wait for a response after the function must have ended: it may start slowly, and the network takes time. */
const marginMilliseconds = 30_000;

/** How long to wait for the response of a function that may run so many minutes. */
export function responseLimit(minutes: number): number {
  return minutes * 60_000 + marginMilliseconds;
}
