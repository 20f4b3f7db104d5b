import { bucketWith, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { exchange } from '../support/exchange.ts';
import { element, presignedUrl, putHead } from '../support/presigned.ts';

/**
 * Headers of a PUT to an upload URL, which signs only Host. Each case names its source, or `none` if AWS's response
 * is not known. The recordings of S3 contain more headers.
 */

const aws = await (await prepareRuns([bucketWith()])).start();

let counter = 0;

/** Sends `content` with this header. */
async function put(header: string) {
  counter += 1;
  const key = `uploads/${counter}`;
  const url = await presignedUrl({ endpoint: aws.endpoint, key, credentials: aws.operatorCredentials });
  const response = await exchange(aws.endpoint, [
    putHead(url, ['Content-Length: 7', header, 'Connection: close']),
    'content',
  ]);
  const [code, ...details] = ['Code', 'Header', 'ArgumentName', 'HeadersNotSigned'].map((name) =>
    element(response, name),
  );
  return { key, outcome: [response.split(' ')[1], code, ...details].filter(Boolean).join(' ') };
}

const localStack = 'LocalStack 2026-02-21';
const reference = 'S3 API reference, PutObject';
const notSigned = '403 AccessDenied';

test.for<[source: string, header: string, outcome: string]>([
  // All other unsigned `x-amz-*` headers are rejected in the same way.
  [reference, 'x-amz-checksum-crc32: AAAAAA==', `${notSigned} x-amz-checksum-crc32`],
  ['versitygw 2400', 'Content-Encoding: gzip,aws-chunked', '400 InvalidArgument Content-Encoding'],
  ['versitygw 2400', 'Content-Encoding: aws-chunked, gzip', '400 InvalidArgument Content-Encoding'],
  ['cloudserver 281', 'Content-MD5: ', '400 InvalidDigest'],
  // S3 rejected each condition in this way before it supported the condition.
  [
    'ceph s3-tests 218',
    'If-Modified-Since: Sat, 21 Feb 2026 00:00:00 GMT',
    '501 NotImplemented if-modified-since',
  ],
])('rejects (%s) %s', async ([, header, outcome]) => {
  expect((await put(header)).outcome).toBe(outcome);
});

test.for<[source: string, header: string]>([
  [localStack, 'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD'],
  ['none, no x-amz-', 'X-Amzn-Trace-Id: Root=1-5759e988-bd862e3fe1be46a994272793'],
  [localStack, 'If-None-Match: *'],
  ['aws-sdk-go 615', 'Expect: 100-Continue'],
  ['RFC 9110 14.2', 'Range: bytes=0-2'],
  ['RFC 9110 7.8', 'Upgrade: h2c'],
])('accepts (%s) %s', async ([, header]) => {
  const { key, outcome } = await put(header);
  expect(outcome).toMatch(/^(200|100)$/);
  const { Body } = await clients(aws).s3.getObject({ Bucket: 'test-bucket', Key: key });
  expect(await Body?.transformToString()).toBe('content');
});
