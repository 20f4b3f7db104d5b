import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';
import type { UploadUrl } from './upload-url.ts';

/** Reads the content of the object behind an upload URL, as an operator. */
export async function readStored(operator: Deployment, uploadUrl: UploadUrl): Promise<Buffer> {
  const { BucketName: Bucket } = operator.outputs;
  const storage = await s3Client(operator);
  const Key = decodeURIComponent(uploadUrl.path.slice(`/${Bucket}/`.length));
  const { Body } = await withoutDetail(storage.getObject({ Bucket, Key }));
  const bytes = await Body?.transformToByteArray();
  return Buffer.from(bytes ?? []);
}
