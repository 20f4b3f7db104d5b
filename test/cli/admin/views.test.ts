import { expect, test } from 'vitest';
import { fileDetails, uploadDetails } from '../../../cli/admin/views.ts';
import type { File } from '../../../storage/file.ts';
import type { Upload } from '../../../storage/upload.ts';

const at = '2026-01-01T00:00:00.000Z';

function fileOf(size: number): File {
  const content = { upload_id: 'u', key: 'uploads/u', version_id: 'v', size, etag: 'e', completed_at: at };
  return {
    file_id: 'f',
    organisation_id: 'acme',
    name: 'orders.csv',
    sync_enabled: true,
    created_at: at,
    updated_at: at,
    content,
  };
}

function uploadOf(size: number): Upload {
  return {
    upload_id: 'u',
    file_id: 'f',
    organisation_id: 'acme',
    client_id: 'c',
    key: 'uploads/u',
    issued_at: at,
    expires_at: at,
    state: 'completed',
    size,
    etag: 'e',
    version_id: 'v',
    completed_at: at,
  };
}

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB (1024 bytes)'],
  [100_194, '97.8 KiB (100194 bytes)'],
])('%i bytes are shown to people as %s', (size, text) => {
  expect(Object.fromEntries(fileDetails(fileOf(size))).Content).toBe(`${text}, completed ${at}`);
  expect(Object.fromEntries(uploadDetails(uploadOf(size))).Size).toBe(text);
});
