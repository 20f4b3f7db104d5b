import { awsMessageOf } from '../deployment/aws-errors.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import type { ActionContext } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import type { Pages } from '../lists/list.ts';
import { counted } from '../text.ts';
import type { Upload } from './upload.ts';

/**
 * Processes uploads, several at a time. Memory contains one page. A failure of one upload does not stop the others.
 *
 * @param doing name of the action, for the progress
 * @param act function that processes an upload, and returns true if it cancelled a URL
 * @returns the number of uploads, and the number of cancelled upload URLs
 * @throws {OperationError} at the end, when an upload failed
 */
export async function forEachUpload(
  { progress }: Pick<ActionContext, 'progress'>,
  doing: string,
  pages: Pages<Upload>,
  act: (upload: Upload) => Promise<boolean>,
) {
  const failures: string[] = [];
  let [uploads, cancelled] = [0, 0];
  await inParallel(pages, async (upload) => {
    try {
      if (await act(upload)) {
        cancelled += 1;
      }
    } catch (error) {
      failures.push(`${upload.upload_id} failed: ${awsMessageOf(error)}`);
    }
    uploads += 1;
    progress(`${doing}: ${counted(uploads, 'upload')}.`);
  });
  if (failures.length > 0) {
    throw new OperationError(
      `${counted(failures.length, 'upload')} of ${uploads} could not be processed, and their URLs may still work. ${failures[0]} Fix the cause, and repeat the action: that is safe.`,
    );
  }
  return { uploads, cancelled };
}
