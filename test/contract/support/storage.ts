import { Sha256 } from '@aws-crypto/sha256-js';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/protocol-http';
import type { Operator } from '../../support/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';
import { recordProducedUrl } from '../../support/produced-secrets.ts';
import { UploadUrl } from './upload-url.ts';

/** The content that a used upload URL left in the bucket, read as an operator. */
export async function readStored(operator: Operator, uploadUrl: UploadUrl): Promise<Buffer> {
  const storage = new S3Client({
    endpoint: operator.endpoint,
    region: operator.region,
    credentials: operator.credentials,
    forcePathStyle: true,
  });
  const key = decodeURIComponent(uploadUrl.path.slice(`/${operator.bucketName}/`.length));
  const get = new GetObjectCommand({ Bucket: operator.bucketName, Key: key });
  const answer = await withoutDetail(storage.send(get));
  const bytes = await answer.Body?.transformToByteArray();
  storage.destroy();
  return Buffer.from(bytes ?? []);
}

/**
 * A URL for the same object as an upload URL, signed by the operator for another time. So a test can hold one that
 * is an hour old without waiting.
 */
export async function presignAsOperator(
  operator: Operator,
  path: string,
  issued: Date,
  expiresIn: number,
): Promise<UploadUrl> {
  const { hostname, port, protocol } = new URL(operator.endpoint);
  const presigner = new S3RequestPresigner({
    region: operator.region,
    credentials: operator.credentials,
    sha256: Sha256,
  });
  const host = `${hostname}:${port}`;
  const query = { 'If-None-Match': '*' };
  const request = new HttpRequest({
    method: 'PUT',
    protocol,
    hostname,
    port: Number(port),
    path,
    query,
    headers: { host },
  });
  const signed = await presigner.presign(request, { expiresIn, signingDate: issued });
  const parameters = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const url = `${protocol}//${host}${signed.path}?${parameters.join('&')}`;
  recordProducedUrl(url);
  return new UploadUrl(url);
}
