import { mayBeUnderWay, underWayNote } from '../../../operator/close-uploads.ts';
import type { Upload } from '../../../operator/uploads.ts';
import type { TimelineEvent } from '../../components/detail.tsx';
import { Bytes, Id } from '../../components/text.tsx';
import { IdLink } from '../shared/links.tsx';

/**
 * The life of an upload: what happened, what is true now, and what is to come.
 *
 * @param now milliseconds since the epoch
 */
export function lifeOf(upload: Upload, now: number): readonly TimelineEvent[] {
  const events = [issued(upload), ...outcome(upload, now), ...end(upload, now)];
  // What is true now has no time of its own.
  const timeOf = ({ at }: TimelineEvent) => (at === undefined ? now : Date.parse(at));
  return [...events].sort((one, other) => timeOf(one) - timeOf(other));
}

function issued({ issued_at, client_id, file_id, upload_id }: Upload): TimelineEvent {
  return {
    at: issued_at,
    title: 'Upload URL issued',
    text: (
      <>
        To the client <IdLink to="clients" id={client_id} place={`${upload_id}-life`} /> for the file{' '}
        <IdLink to="files" id={file_id} place={`${upload_id}-life`} />.
      </>
    ),
    state: 'done',
  };
}

const foundUnused = 'The service looked into the bucket. Nothing had arrived.';

function outcome(upload: Upload, now: number): readonly TimelineEvent[] {
  switch (upload.state) {
    case 'issued':
      return [
        { title: 'Waiting for the bytes', text: 'The URL takes one PUT with the whole file.', state: 'now' },
        { at: upload.expires_at, title: 'The URL expires', state: 'coming' },
      ];
    case 'expired':
      return [
        {
          at: upload.expires_at,
          title: 'The URL expired',
          text: 'Nothing was recorded by then.',
          state: 'done',
        },
        ...(upload.expired_at === undefined
          ? []
          : [{ at: upload.expired_at, title: 'Found unused', text: foundUnused, state: 'done' } as const]),
        ...(mayBeUnderWay(upload, now)
          ? [{ title: 'A PUT may still be under way', text: underWayNote, state: 'now' } as const]
          : []),
      ];
    case 'cancelled':
      return [
        {
          at: upload.cancelled_at,
          title: 'Cancelled',
          text: 'The URL was closed. It answers 412 until it expires.',
          state: 'done',
        },
        expiry(upload, now),
      ];
    case 'completed':
      return [
        {
          at: upload.completed_at,
          title: 'Content stored and recorded',
          text: (
            <>
              <Bytes of={upload.size} />, ETag <Id of={upload.etag} />, version <Id of={upload.version_id} />
            </>
          ),
          state: 'done',
        },
        expiry(upload, now),
        ...(upload.superseded_at === undefined
          ? [{ title: 'It is the content of the file', state: 'now' } as const]
          : []),
      ];
  }
}

/** The expiry of a URL that has no use any more. */
function expiry({ expires_at }: Upload, now: number): TimelineEvent {
  return Date.parse(expires_at) <= now
    ? { at: expires_at, title: 'The URL expired', state: 'done' }
    : { at: expires_at, title: 'The URL expires', state: 'coming' };
}

function end({ superseded_at, deleted_at, delete_after }: Upload, now: number): readonly TimelineEvent[] {
  const events: TimelineEvent[] = [];
  if (deleted_at !== undefined) {
    events.push({ at: deleted_at, title: 'Deleted with its file', state: 'done' });
  } else if (superseded_at !== undefined) {
    events.push({
      at: superseded_at,
      title: 'Superseded',
      text: 'Newer content of the file replaced this one.',
      state: 'done',
    });
  }
  if (delete_after !== undefined) {
    const isPast = Date.parse(delete_after) <= now;
    events.push({
      at: delete_after,
      title: isPast ? 'Its record may go' : 'Its record is kept until then',
      text: 'AWS removes it within a few days after this time.',
      state: isPast ? 'done' : 'coming',
    });
  }
  return events;
}
