import type { Upload } from '../../storage/upload.ts';
import type { Announcement } from '../shared/recording/announce.ts';
import { idsOf } from '../shared/recording/facts.ts';
import type { RecordDependencies } from '../shared/recording/record-object.ts';
import type { Tables } from '../shared/recording/recording-tables.ts';
import type { OperatorRequest } from './operator-request.ts';

/**
 * Sends the last event of each upload again, with its `event_id`. Records do not change, so this is safe to
 * repeat.
 *
 * @returns the number of sent events. Other uploads have no event to send again
 * @throws {Error} if EventBridge did not accept an event. Others may have been sent
 */
export async function announceAgain(
  { uploads, operator }: OperatorRequest,
  { tables, announce, log }: RecordDependencies,
): Promise<{ readonly announced: number }> {
  const read = uploads.map(async (uploadId) => lastAnnouncement(await tables.readUpload(uploadId), tables));
  const announcements = (await Promise.all(read)).filter((each) => each !== undefined);
  // Ten events share a call of EventBridge, and the next ten wait for its response.
  for (let start = 0; start < announcements.length; start += 10) {
    await Promise.all(announcements.slice(start, start + 10).map(announce));
  }
  for (const { kind, upload } of announcements) {
    log('INFO', 'announcedAgain', { ...idsOf(upload), kind, operator });
  }
  return { announced: announcements.length };
}

/** Returns the last announcement of an upload, unless it was not announced yet or its file is deleted. */
async function lastAnnouncement(
  upload: Upload | undefined,
  tables: Tables,
): Promise<Announcement | undefined> {
  const announcedAt = upload?.state === 'issued' ? upload.expired_at : upload?.announced_at;
  const file = upload && announcedAt && (await tables.readFileContent(upload.file_id));
  if (!file || !announcedAt || file.deleted_at !== undefined) {
    return undefined;
  }
  switch (upload.state) {
    case 'completed': {
      const isNewestContent = file.content?.upload_id === upload.upload_id;
      return { kind: 'completed', upload, content: upload, isNewestContent };
    }
    case 'cancelled':
      return { kind: 'cancelled', upload, at: upload.cancelled_at };
    case 'issued':
      return { kind: 'expired', upload, at: announcedAt };
  }
}
