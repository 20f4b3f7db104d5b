import { eventIdOf } from '../../../contract/upload-events.ts';
import type { Upload } from '../../../storage/upload.ts';
import type { Moment } from '../description/field.ts';
import { formatSize } from '../text.ts';

/**
 * Returns the timeline of an upload URL, from its stored record. Times after `now` are future events.
 *
 * @param now time in ISO 8601
 */
export function timelineOf(upload: Upload, now: string): readonly Moment[] {
  const { expires_at, superseded_at, deleted_at } = upload;
  const isCompleted = upload.state === 'completed';
  const eventId = eventIdOf(upload.upload_id, upload.state === 'issued' ? 'expired' : upload.state);
  const moments = [
    moment('URL issued', upload.issued_at, upload.requested_from && `to ${upload.requested_from}`),
    ...endOf(upload),
    moment(expires_at <= now ? 'URL expired' : 'URL expires', isCompleted ? undefined : expires_at),
    moment('Found unused, and announced', upload.expired_at, upload.state === 'issued' ? eventId : undefined),
    moment('Announced', upload.announced_at, eventId),
    moment('Replaced by newer content of the file', superseded_at === deleted_at ? undefined : superseded_at),
    // A replaced upload is due at the deletion of its content.
    moment('Replaced content is deleted', isCompleted && superseded_at ? upload.due_at : undefined),
    moment('Deleted with its file', deleted_at),
    moment('Updated by an operator', upload.updated_at, upload.updated_by),
    moment('The record may be removed from this time', upload.delete_after),
  ];
  return moments.flat().toSorted((a, b) => a.at.localeCompare(b.at));
}

/** Returns the arrival of the bytes, or the cancellation of the URL. */
function endOf(upload: Upload): readonly Moment[] {
  switch (upload.state) {
    case 'issued':
      return [];
    case 'cancelled':
      // The service removes `due_at` after it announces the cancellation.
      return moment(
        'URL cancelled',
        upload.cancelled_at,
        upload.due_at === undefined ? 'the event was sent' : 'the event was not sent yet',
      );
    case 'completed': {
      const { completed_at, size, uploaded_from = 'an unknown address', deleted_at = completed_at } = upload;
      // Bytes that arrive after the deletion of the file are not content (lambdas/shared/recording/record-object.ts).
      const told =
        deleted_at < completed_at ? 'not announced, because the file was deleted' : 'recorded and announced';
      return moment('Bytes sent', completed_at, `${formatSize(size)} from ${uploaded_from}, ${told}`);
    }
  }
}

function moment(event: string, at: string | undefined, detail?: string): readonly Moment[] {
  return at === undefined ? [] : [{ at, event, ...(detail && { detail }) }];
}
