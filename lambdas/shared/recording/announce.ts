import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import type { EventDetail } from '../../../contract/upload-event-schemas.ts';
import {
  type EventKind,
  eventIdOf,
  eventSchemaVersion,
  eventSource,
  eventTypes,
} from '../../../contract/upload-events.ts';
import type { Timestamp } from '../../../storage/attributes.ts';
import type { Completion, Upload } from '../../../storage/upload.ts';
import { InternalError } from '../log/log.ts';
import { batch } from './batch.ts';

/** Outcome of an upload. */
export type Announcement =
  | {
      readonly kind: 'completed';
      readonly upload: Upload;
      readonly content: Completion;
      /** True if the file points at this content now. Otherwise it points at later content. */
      readonly isNewestContent: boolean;
    }
  | { readonly kind: 'cancelled' | 'expired'; readonly upload: Upload; readonly at: Timestamp };

/**
 * Sends the event of an upload that ended. Call it before the write after which the upload is no longer due:
 * after a crash between the event and the write, a second event with the same `event_id` follows, and no
 * event is lost.
 *
 * @throws {NotAnnouncedError} if EventBridge did not accept the event. The caller must retry later
 */
export type Announce = (announcement: Announcement) => Promise<void>;

/** EventBridge did not accept the event of an upload. The most likely reason is too many events. */
export class NotAnnouncedError extends InternalError {
  override readonly name = 'NotAnnouncedError';
  readonly upload: Upload;

  constructor(upload: Upload, code: string) {
    super(`EventBridge did not take the event of upload ${upload.upload_id}: ${code}`);
    this.upload = upload;
  }
}

/**
 * Maximum number of events in one call (API reference, PutEvents). They amount to about 10 KB; the limit of a
 * call is 256 KB ("Amazon EventBridge quotas").
 */
const maxEvents = 10;

/** Sends an event. Returns the reason if EventBridge did not accept it. */
export type SendEvent = (kind: EventKind, detail: EventDetail) => Promise<string | undefined>;

/**
 * Creates a sender of events to a bus of EventBridge. Events that arrive while `gather` waits share a call.
 * If EventBridge does not accept one of them, the others are sent.
 */
export function createSendEvent(
  eventBridge: EventBridgeClient,
  eventBusName: string,
  gather: () => Promise<unknown>,
): SendEvent {
  const send = async (Entries: readonly PutEventsRequestEntry[]) => {
    // PutEvents responds with 200 even if it did not accept an entry (API reference, PutEvents).
    const response = await eventBridge.send(new PutEventsCommand({ Entries: [...Entries] }));
    return Entries.map((_, place) => response.Entries?.[place]?.ErrorCode);
  };
  const sendInBatch = batch(send, maxEvents, gather);
  return (kind, detail) =>
    sendInBatch({
      EventBusName: eventBusName,
      Source: eventSource,
      DetailType: eventTypes[kind],
      Detail: JSON.stringify(detail),
      // EventBridge's message may quote the event, which contains text from a client.
    }).catch((error: Error) => error.name);
}

/** Creates a sender of the events of uploads. */
export function createAnnounce(sendEvent: SendEvent, bucketName: string): Announce {
  return async (announcement) => {
    const { kind, upload } = announcement;
    const code = await sendEvent(kind, detailOf(announcement, bucketName));
    if (code !== undefined) {
      throw new NotAnnouncedError(upload, code);
    }
  };
}

/** Returns `detail` of the event of an upload that ended. */
export function detailOf(announcement: Announcement, bucketName: string): EventDetail {
  const { kind, upload } = announcement;
  const common = {
    schema_version: eventSchemaVersion,
    event_id: eventIdOf(upload.upload_id, kind),
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
