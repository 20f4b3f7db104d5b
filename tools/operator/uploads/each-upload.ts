import { explainAwsError } from '../deployment/aws-errors.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { messageOf, OperationError } from '../errors.ts';
import type { Pages } from '../lists/list.ts';
import { counted } from '../text.ts';
import type { Upload } from './upload.ts';

/** Reads pages. Checks before each page that the action may go on. */
export async function* pagesWhile<Entry>(check: () => Promise<void>, pages: Pages<Entry>): Pages<Entry> {
  for await (const page of pages) {
    await check();
    yield page;
  }
}

/**
 * Processes uploads, several at a time. Memory contains one page. A failure of one upload does not stop the others.
 *
 * @param progress callback for the number of uploads processed so far
 * @param act function that processes an upload, and returns true if it cancelled a URL
 * @returns the number of uploads, and the number of cancelled upload URLs
 * @throws {OperationError} at the end, when an upload failed
 */
export async function forEachUpload(
  pages: Pages<Upload>,
  progress: (done: number) => void,
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
      failures.push(`${upload.upload_id} failed: ${messageOf(explainAwsError(error))}`);
    }
    uploads += 1;
    progress(uploads);
  });
  if (failures.length > 0) {
    throw new OperationError(
      `${counted(failures.length, 'upload')} of ${uploads} could not be processed, and their URLs may still work. ${failures[0]} Fix the cause, and repeat the action: that is safe.`,
    );
  }
  return { uploads, cancelled };
}
