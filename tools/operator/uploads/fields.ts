import { defineEntity } from '../description/entity.ts';
import {
  bytes,
  changeFields,
  id,
  type Moment,
  opaque,
  state,
  text,
  time,
  timeline,
} from '../description/field.ts';
import { type Upload, wordOf } from './upload.ts';

/** An upload, with its timeline and the Content-Type of its bytes, if they were read. */
export type ShownUpload = Upload & {
  readonly content_type?: string | undefined;
  readonly timeline?: readonly Moment[];
  /** Time at which the bytes were stored, if no event has recorded them yet. */
  readonly stored_at?: string | undefined;
};

/** Fields of an upload in tables, details and CSV. */
export const uploads = defineEntity<ShownUpload>()({
  noun: 'upload',
  fields: {
    upload_id: id('Upload ID'),
    // Green: the content arrived. Blue: content may arrive. Amber: no content arrived. The other states are
    // final.
    state: state('State', wordOf, {
      issued: 'info',
      completed: 'good',
      expired: 'warning',
      cancelled: 'plain',
      superseded: 'plain',
      deleted: 'plain',
    }),
    file_id: id('File', { of: 'file' }),
    client_id: id('Client', { of: 'client' }),
    organisation_id: id('Organisation', { of: 'organisation' }),
    issued_at: time('Issued'),
    requested_from: opaque('URL requested from'),
    request_id: id('Request ID', { of: 'request' }),
    expires_at: time('URL expires'),
    expired_at: time('Found unused'),
    stored_at: opaque('Stored, not recorded'),
    completed_at: time('Completed'),
    announced_at: time('Announced'),
    timeline: timeline('Timeline'),
    uploaded_from: opaque('Content sent from'),
    cancelled_at: time('Cancelled'),
    superseded_at: time('Superseded'),
    ...changeFields,
    kept_until: time('Kept until, before the deletion'),
    size: bytes('Size'),
    content_type: text('Content type'),
    checksum_crc64nvme: opaque('CRC64NVME'),
    etag: opaque('ETag'),
    key: opaque('Object key'),
    version_id: opaque('Object version'),
  },
  main: 'file_id',
  listed: ['upload_id', 'state', 'file_id', 'issued_at', 'size', 'client_id', 'organisation_id'],
  csv: [
    'upload_id',
    'file_id',
    'organisation_id',
    'client_id',
    'key',
    'issued_at',
    'expires_at',
    'state',
    'size',
    'etag',
    'version_id',
    'completed_at',
    'cancelled_at',
    'superseded_at',
    'deleted_at',
    'delete_after',
    'request_id',
    'expired_at',
    'checksum_crc64nvme',
    'requested_from',
    'uploaded_from',
    'updated_at',
    'updated_by',
    'announced_at',
  ],
});
