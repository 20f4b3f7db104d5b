/**
 * Names in the events about uploads (docs/events.md). The schemas are in upload-event-schemas.ts, which the
 * functions that send events need not load.
 */

/** The version of the schemas. */
export const eventSchemaVersion = 1;

/** `source` of the events. */
export const eventSource = 'file-sync-api';

/** `detail-type` of each event, by outcome of the upload. */
export const uploadEventTypes = {
  completed: 'Upload Completed',
  cancelled: 'Upload Cancelled',
  expired: 'Upload Expired',
} as const;

/** Occasion of each event, for the documentation. */
export const uploadEventMeanings: Readonly<Record<UploadEventKind, string>> = {
  completed: 'the content of an upload has arrived, and its file points at it, or at later content',
  cancelled: 'an operator cancelled the upload URL before it was used',
  expired: 'nobody used the upload URL before it expired. It is sent some minutes after that',
};

/** Returns the `event_id` of an event: the same in each repetition, and in no other event. */
export function eventIdOf(uploadId: string, kind: UploadEventKind): string {
  return `${uploadId}.${kind}`;
}

export type UploadEventKind = keyof typeof uploadEventTypes;
