/**
 * Names in the events about uploads and files (docs/events.md). The schemas are in upload-event-schemas.ts, which the
 * functions that send events need not load.
 */

/** The version of the schemas. */
export const eventSchemaVersion = 1;

/** `source` of the events. */
export const eventSource = 'file-sync-api';

/** `detail-type` of each event. The first three are outcomes of an upload. */
export const eventTypes = {
  completed: 'Upload Completed',
  cancelled: 'Upload Cancelled',
  expired: 'Upload Expired',
  overdue: 'File Overdue',
} as const;

/** Occasion of each event, for the documentation. */
export const eventMeanings: Readonly<Record<EventKind, string>> = {
  completed: 'the content of an upload has arrived, and its file points at it, or at later content',
  cancelled: 'an operator cancelled the upload URL before it was used',
  expired: 'nobody used the upload URL before it expired. It is sent some minutes after that',
  overdue: 'a watched file got no content before its deadline. It is sent once in each interval',
};

/**
 * Returns the `event_id` of an event: the same in each repetition, and in no other event.
 *
 * @param id id of the upload, or of the file with the missed deadline
 */
export function eventIdOf(id: string, kind: EventKind): string {
  return `${id}.${kind}`;
}

export type EventKind = keyof typeof eventTypes;
