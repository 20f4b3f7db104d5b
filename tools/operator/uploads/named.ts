import type { Deployment } from '../deployment/deployment.ts';
import { optionalQuestion } from '../description/question.ts';
import { getFile } from '../files/file.ts';
import type { Pages } from '../lists/list.ts';
import { getUpload, type Upload } from './upload.ts';

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
