import type { ActionContext } from '../description/action.ts';
import { type Answers, optionalQuestion } from '../description/question.ts';
import { InvalidInput } from '../errors.ts';
import { getFile } from '../files/file.ts';
import { readAll } from '../lists/read.ts';
import { parseTime } from '../parse-input.ts';
import { counted } from '../text.ts';
import { getUpload, type Upload, uploadSource } from './upload.ts';

/** Questions for one upload, or for uploads of a file, or from a time on. */
export const uploadQuestions = {
  upload: optionalQuestion('Upload ID', 'only this upload'),
  file: optionalQuestion('File ID', 'only uploads of this file'),
  since: optionalQuestion(
    'Since',
    'only uploads whose URLs were issued since this time, such as 2h',
    '<time>',
  ),
};

/** Maximum number of uploads in one request (lambdas/reconcile-uploads/operator-request.ts). */
const maxNamed = 100;

/**
 * Finds the uploads that an operator named, the newest first.
 *
 * @returns their ids, in batches for a function
 * @throws {OperationError} when there is no such upload or file
 */
export async function findNamed(
  { deployment, progress }: Pick<ActionContext, 'deployment' | 'progress'>,
  { upload, file, since }: Answers<typeof uploadQuestions>,
  isMeant: (upload: Upload) => boolean,
): Promise<readonly (readonly string[])[]> {
  if (upload !== undefined && (file ?? since) !== undefined) {
    throw new InvalidInput('Name one upload, or choose uploads by their file and time, not both.');
  }
  const from = since === undefined ? undefined : parseTime(since, '--since')(deployment.now());
  await (file && getFile(deployment, file));
  const pages =
    upload === undefined
      ? readAll(deployment, uploadSource(deployment, { file, since: from }))
      : [[await getUpload(deployment, upload)]];
  const batches: string[][] = [];
  let found = 0;
  for await (const page of pages) {
    for (const { upload_id } of page.filter(isMeant)) {
      if (found % maxNamed === 0) {
        batches.push([]);
      }
      batches.at(-1)?.push(upload_id);
      found += 1;
    }
    progress(`Reading: ${counted(found, 'upload')} so far.`);
  }
  return batches;
}
