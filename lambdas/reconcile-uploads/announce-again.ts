import type { Upload } from '../../storage/upload.ts';
import type { RecordDependencies } from '../shared/recording/record-object.ts';

/**
 * Sends the last event of an upload again, with its `event_id`. The record does not change, so this is safe to
 * repeat.
 *
 * @returns `unchanged` if the upload was not announced yet, or its file is deleted
 * @throws {NotAnnouncedError} if EventBridge did not accept the event
 */
export async function announceAgain(
  upload: Upload,
  { tables, announce }: RecordDependencies,
): Promise<'announced' | 'unchanged'> {
  const at = upload.state === 'issued' ? upload.expired_at : upload.announced_at;
  const file = at && (await tables.readFileContent(upload.file_id));
  if (!file || file.deleted_at !== undefined) {
    return 'unchanged';
  }
  const isNewestContent = file.content?.upload_id === upload.upload_id;
  switch (upload.state) {
    case 'completed':
      await announce({ kind: 'completed', upload, content: upload, isNewestContent });
      break;
    case 'cancelled':
      await announce({ kind: 'cancelled', upload, at: upload.cancelled_at });
      break;
    case 'issued':
      await announce({ kind: 'expired', upload, at });
  }
  return 'announced';
}
