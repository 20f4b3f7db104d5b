import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Operator } from '../../support/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';
import type { UploadUrl } from './upload-url.ts';

/** The content of the object that an upload URL writes, read as an operator. */
export async function readStored(operator: Operator, uploadUrl: UploadUrl): Promise<Buffer> {
  const { endpoint, region, credentials, bucketName: Bucket } = operator;
  const storage = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const Key = decodeURIComponent(uploadUrl.path.slice(`/${Bucket}/`.length));
  const { Body } = await withoutDetail(storage.send(new GetObjectCommand({ Bucket, Key })));
  const bytes = await Body?.transformToByteArray();
  storage.destroy();
  return Buffer.from(bytes ?? []);
}
