/**
 * Names that the events about uploads use (docs/events.md). The schemas of the events are in upload-event-schemas.ts:
 * the functions that send events need not load that file.
 */

/** The version of the schemas. */
export const eventSchemaVersion = 1;

/** `source` of the events. */
export const eventSource = 'file-sync-api';

/** `detail-type` of each event, by how the upload ended. */
export const uploadEventTypes = {
  completed: 'Upload Completed',
  cancelled: 'Upload Cancelled',
  expired: 'Upload Expired',
} as const;

/** When each event is sent, for the documentation. */
export const uploadEventMeanings: Readonly<Record<UploadEventKind, string>> = {
  completed: 'the content of an upload has arrived, and its file points at it, or at later content',
  cancelled: 'an operator cancelled the upload URL before it was used',
  expired: 'nobody used the upload URL before it expired. It is sent some minutes after that',
};

export type UploadEventKind = keyof typeof uploadEventTypes;
