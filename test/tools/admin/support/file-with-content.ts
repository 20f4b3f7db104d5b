import { createHash } from 'node:crypto';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import type { FakeAws } from '../../../support/fake-aws.ts';
import { fileItem } from '../items.ts';

/** Gives AWS a file whose only upload is complete. */
export async function putFileWithContent(
  aws: FakeAws,
  fileId: string,
  content: string,
  contentType?: string,
  recorded: { readonly etag?: string; readonly checksum_crc64nvme?: string } = {},
): Promise<void> {
  const { etag = createHash('md5').update(content).digest('hex'), checksum_crc64nvme } = recorded;
  aws.objects.set('uploads/u1', { body: content, ...(contentType !== undefined && { contentType }) });
  await aws.putItem('files', {
    ...fileItem(fileId, 0),
    content: {
      M: {
        upload_id: { S: 'u1' },
        key: { S: 'uploads/u1' },
        version_id: { S: 'v1' },
        size: { N: String(Buffer.byteLength(content)) },
        etag: { S: etag },
        ...(checksum_crc64nvme === undefined ? {} : { checksum_crc64nvme: { S: checksum_crc64nvme } }),
        completed_at: { S: '2026-01-01T00:00:01.000Z' },
      },
    },
  });
}

/** As the code of AWS's SDK computes it. */
export async function crc64nvme(content: Buffer): Promise<string> {
  const crc = new Crc64Nvme();
  crc.update(content);
  return Buffer.from(await crc.digest()).toString('base64');
}
