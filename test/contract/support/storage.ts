import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { Operator } from '../../support/deployment.ts';
import { withoutDetail } from '../../support/plain-errors.ts';
import { recordProducedUrl } from '../../support/produced-secrets.ts';
import type { Answer } from './http.ts';
import { UploadUrl } from './upload-url.ts';

/**
 * The content that the PUT with this answer stored, read as an operator. S3 names the version that a PUT made. A later
 * upload into the same file puts a tombstone over it, at any moment, and the version stays readable below that.
 */
export function readStoredBy(operator: Operator, uploadUrl: UploadUrl, answer: Answer): Promise<Buffer> {
  const versionId = answer.headers['x-amz-version-id'];
  if (typeof versionId !== 'string' || versionId === '' || versionId === 'null') {
    throw new Error('The answer to the PUT names no version in x-amz-version-id. Is the bucket versioned?');
  }
  return readObject(operator, uploadUrl, versionId);
}

/**
 * The current content of the object that an upload URL writes, read as an operator. Only for a file that no other test
 * uploads into.
 */
export function readCurrent(operator: Operator, uploadUrl: UploadUrl): Promise<Buffer> {
  return readObject(operator, uploadUrl);
}

async function readObject(operator: Operator, uploadUrl: UploadUrl, versionId?: string): Promise<Buffer> {
  const storage = new S3Client({
    endpoint: operator.endpoint,
    region: operator.region,
    credentials: operator.credentials,
    forcePathStyle: true,
  });
  const key = decodeURIComponent(uploadUrl.path.slice(`/${operator.bucketName}/`.length));
  const get = new GetObjectCommand({
    Bucket: operator.bucketName,
    Key: key,
    ...(versionId && { VersionId: versionId }),
  });
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
    sha256: Hash.bind(null, 'sha256'),
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
