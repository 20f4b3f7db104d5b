import { describe } from '../description/entity.ts';
import { bytes, id, opaque, shown, state, text, time } from '../description/field.ts';
import { formatSeconds } from '../text.ts';
import { type Upload, wordOf } from './upload.ts';

/** An upload, with the Content-Type of its bytes where that was read. */
export type ShownUpload = Upload & { readonly content_type?: string | undefined };

/** What people see of an upload. */
export const uploads = describe<ShownUpload>()({
  noun: 'upload',
  fields: {
    upload_id: id('Upload ID'),
    // Green: there is content. Blue: it may come. Amber: it did not come. The others are over.
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
    requested_from: opaque('Asked from'),
    request_id: opaque('Request ID'),
    expires_at: time('Expires'),
    expired_at: time('Found unused'),
    completed_at: time('Completed'),
    took: shown('Took', 'text', tookText),
    uploaded_from: opaque('Sent from'),
    cancelled_at: time('Cancelled'),
    superseded_at: time('Superseded'),
    deleted_at: time('Deleted'),
    delete_after: time('Record kept until'),
    size: bytes('Size'),
    content_type: text('Type'),
    checksum_crc64nvme: opaque('CRC64NVME'),
    etag: opaque('ETag'),
    key: opaque('Key'),
    version_id: opaque('Version'),
  },
  main: 'file_id',
  listed: ['upload_id', 'state', 'file_id', 'issued_at', 'size', 'took', 'client_id', 'organisation_id'],
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
  ],
  notInCsv: ['content_type'],
});

/** How long an upload took from the issue of its URL. S3 says when in whole seconds. */
function tookText(upload: Upload): string | undefined {
  if (upload.state !== 'completed') {
    return undefined;
  }
  const seconds = (Date.parse(upload.completed_at) - Date.parse(upload.issued_at)) / 1000;
  return seconds < 1 ? '< 1 s' : formatSeconds(seconds);
}
