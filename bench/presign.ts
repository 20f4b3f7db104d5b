/**
 * What one upload URL costs in CPU: presigning our own request, against the SDK's `getSignedUrl` with an S3 client.
 *
 *     npm run bench -- presign
 */

import '../test/support/quiet-sdk.ts';
import { Sha256 } from '@aws-crypto/sha256-js';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl, S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/protocol-http';
import { compare, printComparison } from './compare.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example', sessionToken: 'example' };
const region = 'eu-central-1';
const perSample = 200;

const s3 = new S3Client({ region, credentials });
const presigner = new S3RequestPresigner({ region, credentials, sha256: Sha256 });

async function ours(index: number): Promise<void> {
  const hostname = `bucket.s3.${region}.amazonaws.com`;
  const request = new HttpRequest({
    method: 'PUT',
    protocol: 'https:',
    hostname,
    path: `/uploads/${index}`,
    query: { 'If-None-Match': '*' },
    headers: { host: hostname },
  });
  await presigner.presign(request, { expiresIn: 3600 });
}

async function sdk(index: number): Promise<void> {
  const command = new PutObjectCommand({ Bucket: 'bucket', Key: `uploads/${index}`, IfNoneMatch: '*' });
  await getSignedUrl(s3, command, { expiresIn: 3600 });
}

async function timeEach(action: (index: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < perSample; index += 1) await action(index);
  return (performance.now() - start) / perSample;
}

const rows = await compare(
  [
    { name: 'presign our own request', sample: () => timeEach(ours) },
    { name: 'getSignedUrl with an S3 client', sample: () => timeEach(sdk) },
  ],
  15,
);
printComparison(`One upload URL (mean of ${perSample}, median of 15)`, rows);
