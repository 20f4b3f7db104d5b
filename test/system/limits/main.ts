/**
 * Sends a body of exactly 5 GiB to an upload URL, and one of a byte more to another, byte for byte:
 *
 *     npm run test:system -- limits
 *
 * Takes some minutes and 5 GiB of disk in the folder for temporary files.
 */
import '../../support/quiet-sdk.ts';
import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { element } from 'cloud-assembly-emulator/test/presigned';
import { maxUploadBytes } from '../../../contract/limits.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { startRunningStack } from '../../support/running-stack.ts';

const chunk = Buffer.alloc(1024 * 1024);

function* zeros(length: number): Generator<Buffer> {
  for (let left = length; left > 0; left -= chunk.length) {
    yield chunk.subarray(0, Math.min(left, chunk.length));
  }
}

/** Sends the whole body, even if a response arrives earlier. */
function put(url: string, length: number): Promise<{ status: number; code?: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'PUT', headers: { 'content-length': String(length) } });
    sending.once('response', async (response) => {
      const body = Buffer.concat(await response.toArray()).toString('utf8');
      const code = element(body, 'Code');
      resolve({ status: response.statusCode ?? 0, ...(code === undefined ? {} : { code }) });
    });
    sending.on('error', reject);
    Readable.from(zeros(length)).on('error', reject).pipe(sending);
  });
}

const stack = await startRunningStack();
const s3 = await s3Client(stack.deployment);

async function stored(uploadId: string): Promise<unknown> {
  const { BucketName } = stack.deployment.outputs;
  return s3.headObject({ Bucket: BucketName, Key: `uploads/${uploadId}` }).then(
    ({ ContentLength, ETag }) => ({ size: ContentLength, etag: ETag?.replaceAll('"', '') }),
    () => 'nothing',
  );
}

function md5OfZeros(length: number): string {
  const hash = createHash('md5');
  for (const part of zeros(length)) {
    hash.update(part);
  }
  return hash.digest('hex');
}

try {
  const { issue } = await createApiUser(stack);
  const [max, over] = [await issue(), await issue()];
  const rejected = { status: 400, code: 'EntityTooLarge' };
  deepEqual(await put(over.url, maxUploadBytes + 1), rejected, 'one byte more is rejected');
  equal(await stored(over.uploadId), 'nothing');
  deepEqual(await put(max.url, maxUploadBytes), { status: 200 }, 'exactly 5 GiB are taken');
  deepEqual(await stored(max.uploadId), { size: maxUploadBytes, etag: md5OfZeros(maxUploadBytes) });
} finally {
  await stack.close();
}
