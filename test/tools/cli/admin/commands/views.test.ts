import { expect, test } from 'vitest';
import type { File } from '../../../../../storage/file.ts';
import type { Upload } from '../../../../../storage/upload.ts';
import { fileDetails, uploadDetails } from '../../../../../tools/admin/commands/views.ts';

const at = '2026-01-01T00:00:00.000Z';

const checksum = { checksum_crc64nvme: '1BGd19PD4OU=' };

function fileOf(size: number): File {
  const content = {
    upload_id: 'u',
    key: 'uploads/u',
    version_id: 'v',
    size,
    etag: 'e',
    ...checksum,
    completed_at: at,
  };
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
    ...checksum,
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

test('the recorded checksum is shown with the ETag, where there is one', () => {
  const { content, ...file } = fileOf(1);
  const { checksum_crc64nvme: _, ...older } = content ?? {};
  expect(Object.fromEntries(fileDetails(fileOf(1)))).toMatchObject({
    '  ETag': 'e',
    '  CRC64NVME': '1BGd19PD4OU=',
  });
  expect(Object.fromEntries(uploadDetails(uploadOf(1)))).toMatchObject({
    ETag: 'e',
    CRC64NVME: '1BGd19PD4OU=',
  });
  expect(
    Object.fromEntries(fileDetails({ ...file, content: older as typeof content & object })),
  ).toMatchObject({
    '  CRC64NVME': undefined,
  });
});
