import { createHash } from 'node:crypto';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import type { Aws } from '../../../support/aws.ts';
import { fileItem } from '../items.ts';

/** Gives AWS a file whose only upload, `u1`, is complete. @param recorded where that is not what was stored */
export async function putFileWithContent(
  aws: Aws,
  fileId: string,
  content: string,
  ContentType?: string,
  recorded: {
    readonly size?: number;
    readonly etag?: string;
    readonly checksum_crc64nvme?: string;
    readonly version_id?: string;
  } = {},
): Promise<void> {
  const stored = await aws.putContent('u1', content, { ...(ContentType && { ContentType }) });
  const { version_id = stored, size = Buffer.byteLength(content), checksum_crc64nvme } = recorded;
  const { etag = createHash('md5').update(content).digest('hex') } = recorded;
  await aws.putItem('files', {
    ...fileItem(fileId, 0),
    content: {
      M: {
        upload_id: { S: 'u1' },
        key: { S: 'uploads/u1' },
        version_id: { S: version_id },
        size: { N: String(size) },
        etag: { S: etag },
        ...(checksum_crc64nvme && { checksum_crc64nvme: { S: checksum_crc64nvme } }),
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
