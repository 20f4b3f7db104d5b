import * as v from 'valibot';
import { described } from './bodies/errors.ts';
import { type EventKind, eventSchemaVersion } from './upload-events.ts';

/**
 * Schemas of `detail` of each event. The types are inferred from them, and tools/generate/events/ creates the
 * published schemas from them.
 *
 * Within one schema version, a member may be added, and an optional member may become required. No member is
 * removed or renamed, and no member changes its type or its meaning.
 */

const text = (description: string) => described(v.string(), description);
const time = (description: string) => described(v.pipe(v.string(), v.isoTimestamp()), description);

const count = (description: string) => described(v.pipe(v.number(), v.integer(), v.minValue(0)), description);

const checksumSchema = v.object({
  algorithm: described(v.literal('CRC64NVME'), 'CRC-64/NVME, which S3 computes by itself'),
  value: text('The checksum as S3 writes it: 8 bytes in base64'),
});

/** Members of every event. */
const everyEntries = {
  schema_version: described(v.literal(eventSchemaVersion), 'Version of this schema'),
  event_id: text('The same in every repetition of an event, and in no other event'),
};

const fileEntries = {
  file_id: text('The file'),
  organisation_id: text('The organisation of the file'),
};

/** Members of every event of an upload. */
const commonEntries = {
  ...everyEntries,
  upload_id: text('The upload. Later uploads have greater ids (UUIDv7)'),
  ...fileEntries,
  client_id: text('The client that asked for the upload URL'),
  request_id: v.exactOptional(
    text('The request that the upload URL was issued to: the header apigw-requestid of its response'),
  ),
  bucket: text('The bucket of the upload'),
  key: text('The object key of the upload'),
  issued_at: time('When the upload URL was issued'),
  expires_at: time('When the upload URL expires'),
};

const completedDetail = v.object({
  ...commonEntries,
  version_id: text('The version of the object that holds the content. Always read this version'),
  size: count('Size of the content in bytes'),
  etag: text('The ETag of the object, without quotes'),
  checksum: v.exactOptional(described(checksumSchema, 'Checksum of the whole content')),
  completed_at: time('When S3 stored the content'),
  is_newest_content: described(
    v.boolean(),
    'Whether it was the newest content of its file when the event was sent. If not, a later upload was recorded before',
  ),
});

const cancelledDetail = v.object({
  ...commonEntries,
  cancelled_at: time('When the upload URL was cancelled'),
});

const expiredDetail = v.object({
  ...commonEntries,
  expired_at: time('When the service saw that nobody had used the upload URL before it expired'),
});

const overdueDetail = v.object({
  ...everyEntries,
  ...fileEntries,
  name: text('Display name of the file'),
  every_seconds: count('Expected interval of content'),
  grace_seconds: count('Additional time before the file is overdue'),
  expected_by: time('The missed deadline'),
  last_upload_id: v.exactOptional(text('Upload of the newest content')),
  last_completed_at: v.exactOptional(time('When S3 stored the newest content')),
});

/** `detail` of each event. */
export const eventDetails = {
  completed: completedDetail,
  cancelled: cancelledDetail,
  expired: expiredDetail,
  overdue: overdueDetail,
} as const satisfies Readonly<Record<EventKind, v.GenericSchema>>;

/** `detail` of an event. */
export type EventDetail<Kind extends EventKind = EventKind> = v.InferOutput<(typeof eventDetails)[Kind]>;
