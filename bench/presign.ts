/**
 * Measures how much CPU time one upload URL takes: our presigning, against the SDK's `getSignedUrl` with an S3 client.
 *
 *     npm run bench -- presign
 */

import '../test/support/quiet-sdk.ts';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createPresign } from '../lambdas/sync/presign.ts';
import { compare, printComparison } from './compare.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example', sessionToken: 'example' };
const region = 'eu-central-1';
const lifetimeSeconds = 3600;
const perSample = 200;

const presign = createPresign({
  roleArn: 'arn:aws:iam::111122223333:role/upload-signer',
  bucketName: 'bucket',
  region,
  lifetimeSeconds,
  endpoint: undefined,
});
const s3 = new S3Client({ region, credentials });

async function ours(index: number): Promise<void> {
  await presign(`uploads/${index}`, credentials, new Date());
}

async function sdk(index: number): Promise<void> {
  const command = new PutObjectCommand({ Bucket: 'bucket', Key: `uploads/${index}`, IfNoneMatch: '*' });
  await getSignedUrl(s3, command, { expiresIn: lifetimeSeconds });
}

async function timeEach(action: (index: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  for (let index = 0; index < perSample; index += 1) {
    await action(index);
  }
  return (performance.now() - start) / perSample;
}

const rows = await compare(
  [
    { name: 'our presigning', sample: () => timeEach(ours) },
    { name: 'getSignedUrl with an S3 client', sample: () => timeEach(sdk) },
  ],
  15,
);
printComparison(`One upload URL (mean of ${perSample}, median of 15)`, rows);
