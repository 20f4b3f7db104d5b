import * as v from 'valibot';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import { OperationError } from '../errors.ts';
import { printable } from '../text.ts';

/** What a run of the reconciliation found, as its function answers (lambdas/reconcile-uploads/reconcile.ts). */
const reportSchema = v.object({
  recorded: v.number(),
  expired: v.number(),
  failed: v.number(),
  unfinished: v.boolean(),
});

type ReconcileReport = v.InferOutput<typeof reportSchema>;

/**
 * Looks at the uploads that are due, as the schedule does every five minutes.
 *
 * @param asOf the time that counts as now; absent: the time of the call
 * @throws {OperationError} when the run failed, or the stack has no such function
 */
export async function reconcileUploads(deployment: Deployment, asOf?: Date): Promise<ReconcileReport> {
  const { ReconcileUploadsFunctionName: functionName } = deployment.outputs;
  if (functionName === undefined) {
    throw new OperationError(
      'failed',
      'The stack is of a version that does not reconcile uploads. Deploy this version first.',
    );
  }
  const answer = await invokeFunction(deployment, functionName, { time: asOf?.toISOString() }, reportSchema);
  if (answer.problem === undefined) {
    return answer.result;
  }
  throw new OperationError(
    'failed',
    `The uploads that are due could not be looked at: ${printable(answer.problem)}. Read the log of the reconcile-uploads ` +
      'function, fix the cause, and reconcile the uploads again: that is safe.',
    { noun: 'upload', verb: 'reconcile' },
  );
}
