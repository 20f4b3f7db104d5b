import { nextAnnouncementAt } from '../../storage/upload-due.ts';
import { describeError } from '../shared/log/log.ts';
import { NotAnnouncedError } from '../shared/recording/announce.ts';
import type { CreatedObject } from '../shared/recording/bucket.ts';
import { type RecordDependencies, recordObject } from '../shared/recording/record-object.ts';

/**
 * Records the object of an event. If EventBridge does not accept the event of the upload, the upload becomes
 * due soon, and `reconcile-uploads` announces it. Waiting here would use up the concurrency that the API
 * needs, and Lambda's retries would soon end in the dead-letter queue.
 *
 * @throws {Error} if recording failed
 */
export async function recordEvent(object: CreatedObject, dependencies: RecordDependencies): Promise<void> {
  const { tables, now, log } = dependencies;
  try {
    await recordObject(object, dependencies);
  } catch (error) {
    if (
      !(
        error instanceof NotAnnouncedError && (await tables.postpone(error.upload, nextAnnouncementAt(now())))
      )
    ) {
      throw error;
    }
    log('WARN', 'announcementWaits', { upload_id: error.upload.upload_id, ...describeError(error) });
  }
}
