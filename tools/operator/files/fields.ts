import { defineEntity } from '../description/entity.ts';
import { bytes, changeFields, id, opaque, shown, state, text, time } from '../description/field.ts';
import { durationText } from '../parse-input.ts';
import { type File, statusOf } from './file.ts';

/** A file, with the Content-Type of its content if the type was read. */
export interface ShownFile extends File {
  readonly content?: File['content'] & { readonly content_type?: string | undefined };
}

const content = { group: 'Content' };

/** Fields of a file in tables, details and CSV. */
export const files = defineEntity<ShownFile>()({
  noun: 'file',
  fields: {
    file_id: id('File ID'),
    sync_enabled: state('Syncing', statusOf, {
      enabled: 'good',
      suspended: 'warning',
      disabled: 'warning',
      deleted: 'plain',
    }),
    name: text('Name'),
    organisation_id: id('Organisation', { of: 'organisation' }),
    expected: shown('Expected', 'text', expectedText),
    expected_state: { label: 'Arrival', kind: 'state', tones: { waiting: 'good', overdue: 'bad' } },
    expected_by: time('Next deadline'),
    content: shown('Content', 'text', (file) =>
      file.content === undefined ? 'none yet: no upload has completed' : undefined,
    ),
    content_size: bytes('Size', content),
    content_completed_at: time('Completed', { ...content, heading: 'Uploaded' }),
    content_content_type: text('Type', content),
    content_checksum_crc64nvme: opaque('CRC64NVME', content),
    content_etag: opaque('ETag', content),
    content_upload_id: id('Upload', { ...content, of: 'upload' }),
    content_key: opaque('Object key', content),
    content_version_id: opaque('Object version', content),
    ...changeFields,
  },
  main: 'name',
  listed: [
    'file_id',
    'sync_enabled',
    'name',
    'organisation_id',
    'content_size',
    'content_completed_at',
    'expected_state',
    'created_at',
  ],
  csv: [
    'file_id',
    'organisation_id',
    'name',
    'sync_enabled',
    'created_at',
    'updated_at',
    'content_upload_id',
    'content_key',
    'content_version_id',
    'content_size',
    'content_etag',
    'content_completed_at',
    'deleted_at',
    'delete_after',
    'content_checksum_crc64nvme',
    'created_by',
    'updated_by',
    'erased_at',
    'expected_state',
    'expected_by',
  ],
});

/** Describes the interval and the grace time of a watched file in one line. */
export function expectedText(file: File): string | undefined {
  const { expected } = file;
  const pause = statusOf(file) === 'enabled' ? '' : ', paused';
  return (
    expected &&
    `every ${durationText(expected.every_seconds)}, at most ${durationText(expected.grace_seconds)} late${pause}`
  );
}
