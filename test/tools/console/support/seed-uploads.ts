import { createHash, randomBytes } from 'node:crypto';
import { Crc64Nvme } from '@aws-sdk/checksums/crc';
import type { Item } from '../../../../storage/attributes.ts';
import { createUuidV7 } from '../../../../storage/uuid-v7.ts';
import type { UploadState } from '../../../../tools/operator/uploads/upload.ts';
import type { Aws } from '../../../support/aws.ts';
import { fileItem, uploadOf } from '../../admin/items.ts';

/** Properties of an upload in a test. */
export interface SeededUpload {
  readonly fileId: string;
  readonly organisationId?: string;
  readonly clientId?: string;
  readonly state?: UploadState;
  /** Minutes since the issue. Default: 0, or 90 for an expired upload. */
  readonly minutesAgo?: number;
  /** Content of a completed upload. */
  readonly body?: string;
  /** Bytes in S3. Default: `body`. */
  readonly stored?: string;
  /** Recorded attributes that differ from the object in S3. */
  readonly recorded?: Item;
  readonly contentType?: string;
  readonly superseded?: boolean;
}

const minute = 60_000;
const at = (milliseconds: number) => ({ S: new Date(milliseconds).toISOString() });

/** Stores an upload as the service does, with its content if it is completed. @returns upload id */
export async function seedUpload(aws: Aws, upload: SeededUpload): Promise<string> {
  const { fileId, organisationId = 'acme', clientId = 'client_1', state = 'issued' } = upload;
  const issued = Date.now() - (upload.minutesAgo ?? (state === 'expired' ? 90 : 0)) * minute;
  const id = createUuidV7(() => issued, randomBytes)();
  await aws.putItem('uploads', {
    ...uploadOf(id, new Date(issued), {
      file_id: fileId,
      organisation_id: organisationId,
      client_id: clientId,
      state: state === 'expired' ? 'issued' : state,
    }),
    ...(state === 'completed' && (await completion(aws, id, issued, upload))),
    ...(state === 'cancelled' && { cancelled_at: at(issued + minute), announced_at: at(issued + minute) }),
    ...(upload.superseded && { superseded_at: at(issued + 2 * minute) }),
  });
  return id;
}

/** Stores the bytes of a completed upload. @returns recorded attributes of the upload */
async function completion(
  aws: Aws,
  id: string,
  issued: number,
  { body = '', stored = body, contentType, recorded }: SeededUpload,
) {
  const version = await aws.putContent(id, stored, { ...(contentType && { ContentType: contentType }) });
  return {
    size: { N: String(Buffer.byteLength(body)) },
    etag: { S: createHash('md5').update(body).digest('hex') },
    checksum_crc64nvme: { S: await crc64nvme(Buffer.from(body)) },
    version_id: { S: version },
    completed_at: at(issued + 30_000),
    ...recorded,
  };
}

/** Stores a file whose only upload is completed. @returns upload id */
export async function seedFileWithContent(
  aws: Aws,
  file: SeededUpload & { readonly name?: string; readonly body: string },
): Promise<string> {
  const { fileId, name = `${fileId}.csv`, ...content } = file;
  const id = await seedUpload(aws, { fileId, state: 'completed', minutesAgo: 5, ...content });
  const recorded = await completion(aws, id, Date.now() - 5 * minute, file);
  await aws.putItem('files', {
    ...fileItem(fileId, 0, { name }),
    content: { M: { upload_id: { S: id }, key: { S: `uploads/${id}` }, ...recorded } },
  });
  return id;
}

/** Computes the checksum with the code of the AWS SDK. */
async function crc64nvme(content: Buffer): Promise<string> {
  const crc = new Crc64Nvme();
  crc.update(content);
  return Buffer.from(await crc.digest()).toString('base64');
}
