import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { UploadEventDetail } from '../../../contract/upload-event-schemas.ts';
import { eventSchemaVersion, eventSource, uploadEventTypes } from '../../../contract/upload-events.ts';
import type { Timestamp } from '../../../storage/attributes.ts';
import type { Completion, Upload } from '../../../storage/upload.ts';
import { InternalError } from '../log/log.ts';

/** How an upload ended. */
export type Announcement =
  | {
      readonly kind: 'completed';
      readonly upload: Upload;
      readonly content: Completion;
      /** Whether the file points at this content now. If not, it points at later content. */
      readonly isNewestContent: boolean;
    }
  | { readonly kind: 'cancelled' | 'expired'; readonly upload: Upload; readonly at: Timestamp };

/**
 * Sends the event of an upload that ended. Call it before the write that makes the upload no longer due: after a crash
 * between the event and the write, a second event with the same `event_id` follows, and no event is lost.
 *
 * @throws {InternalError} when EventBridge did not take the event. The caller must try again later
 */
export type Announce = (announcement: Announcement) => Promise<void>;

/** Sends events to a bus of EventBridge. */
export function createAnnounce(
  eventBridge: EventBridgeClient,
  { eventBusName, bucketName }: { readonly eventBusName: string; readonly bucketName: string },
): Announce {
  return async (announcement) => {
    const entry = {
      EventBusName: eventBusName,
      Source: eventSource,
      DetailType: uploadEventTypes[announcement.kind],
      Detail: JSON.stringify(detailOf(announcement, bucketName)),
    };
    const { FailedEntryCount, Entries } = await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
    // PutEvents answers 200 even if it did not take an entry (API reference, PutEvents).
    if (FailedEntryCount !== 0) {
      const { upload_id } = announcement.upload;
      // EventBridge's message may quote the event, which holds text that a client sent.
      const code = Entries?.[0]?.ErrorCode;
      throw new InternalError(`EventBridge did not take the event of upload ${upload_id}: ${code}`);
    }
  };
}

/** `detail` of the event of an upload that ended. */
export function detailOf(announcement: Announcement, bucketName: string): UploadEventDetail {
  const { kind, upload } = announcement;
  const common = {
    schema_version: eventSchemaVersion,
    event_id: `${upload.upload_id}.${kind}`,
    ...subjectOf(upload),
    bucket: bucketName,
    key: upload.key,
    issued_at: upload.issued_at,
    expires_at: upload.expires_at,
  } as const;
  switch (announcement.kind) {
    case 'completed':
      return {
        ...common,
        ...contentMembers(announcement.content),
        is_newest_content: announcement.isNewestContent,
      };
    case 'cancelled':
      return { ...common, cancelled_at: announcement.at };
    case 'expired':
      return { ...common, expired_at: announcement.at };
  }
}

function subjectOf({ upload_id, file_id, organisation_id, client_id, request_id }: Upload) {
  const ids = { upload_id, file_id, organisation_id, client_id };
  return request_id === undefined ? ids : { ...ids, request_id };
}

function contentMembers({ version_id, size, etag, checksum_crc64nvme: value, completed_at }: Completion) {
  const checksum = value === undefined ? {} : { checksum: { algorithm: 'CRC64NVME' as const, value } };
  return { version_id, size, etag, ...checksum, completed_at };
}
