import * as v from 'valibot';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import type { ActionContext } from '../description/action.ts';
import { optionalQuestion } from '../description/question.ts';
import { OperationError } from '../errors.ts';
import { getFile } from '../files/file.ts';
import type { Pages } from '../lists/list.ts';
import { counted } from '../text.ts';
import { getUpload, type Upload } from './upload.ts';

const count = v.number();

/** Schema of the report of a run, which its function returns (lambdas/reconcile-uploads/reconcile.ts). */
const reportSchema = v.object({
  recorded: count,
  expired: count,
  deleted: count,
  failed: count,
  unfinished: v.boolean(),
  announced: v.optional(count, 0),
});

/**
 * Runs the reconciliation once for each request. A run ends at the time limit of its function, and the service continues
 * every five minutes.
 *
 * @param requests inputs of the function. Default: an empty one, for all due uploads
 * @returns the sums of all runs
 * @throws {OperationError} when a run failed, or its response was lost
 */
export async function reconcileAll(
  { deployment, progress }: ActionContext,
  requests: AsyncIterable<object> | Iterable<object> = [{}],
) {
  const total = { recorded: 0, announced: 0, expired: 0, deleted: 0, failed: 0, unfinished: false };
  for await (const request of requests) {
    const run = await reconcileUploads(deployment, progress, request);
    total.recorded += run.recorded;
    total.announced += run.announced;
    total.expired += run.expired;
    total.deleted += run.deleted;
    total.failed += run.failed;
    total.unfinished ||= run.unfinished;
  }
  return total;
}

/** Returns the findings of runs, as the start of a sentence. */
export function foundBy({ recorded, expired, deleted }: v.InferOutput<typeof reportSchema>): string {
  return `${counted(recorded, 'upload')} recorded, ${expired} found unused, replaced content of ${deleted} deleted`;
}

/**
 * Checks the due uploads once, as the schedule does every five minutes.
 *
 * @throws {OperationError} when the run failed, its response was lost, or the stack has no such function
 */
export async function reconcileUploads(
  deployment: Deployment,
  progress?: ActionContext['progress'],
  request = {},
) {
  const { result, problem } = await invokeFunction(
    deployment,
    'ReconcileUploadsFunctionName',
    request,
    reportSchema,
    progress,
  );
  if (result !== undefined) {
    return result;
  }
  throw new OperationError(
    `${problem} Read the log of the function. Reconcile the uploads again: that is safe, even while the function is running.`,
    { noun: 'upload', verb: 'reconcile' },
  );
}

/** Questions for one upload, or for the uploads of a file. */
export const uploadQuestions = {
  upload: optionalQuestion('Upload ID', 'only this upload'),
  file: optionalQuestion('File ID', 'only uploads of this file'),
};

/**
 * Creates a request to the reconciliation for one upload, or for each page of a list. A page has at most 100
 * uploads (lambdas/reconcile-uploads/handler.ts).
 *
 * @param announce true to send events again, false to record stored uploads
 * @throws {OperationError} when there is no such upload or file
 */
export async function* requestsFor(
  deployment: Deployment,
  { upload, file }: { readonly upload: string | undefined; readonly file: string | undefined },
  list: Pages<Upload>,
  announce: boolean,
) {
  await (file && getFile(deployment, file));
  const pages = upload === undefined ? list : [[await getUpload(deployment, upload)]];
  for await (const page of pages) {
    if (page.length > 0) {
      yield { uploads: page.map(({ upload_id }) => upload_id), announce };
    }
  }
}
