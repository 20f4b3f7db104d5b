import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';
import type { UploadUrl } from './upload-url.ts';

/** Reads the content of the object behind an upload URL, as an operator. */
export async function readStored(operator: Deployment, uploadUrl: UploadUrl): Promise<Buffer> {
  const { BucketName: Bucket } = operator.outputs;
  const storage = new S3Client({ ...operator.awsConfig, forcePathStyle: true });
  const Key = decodeURIComponent(uploadUrl.path.slice(`/${Bucket}/`.length));
  const { Body } = await withoutDetail(storage.send(new GetObjectCommand({ Bucket, Key })));
  const bytes = await Body?.transformToByteArray();
  storage.destroy();
  return Buffer.from(bytes ?? []);
}
