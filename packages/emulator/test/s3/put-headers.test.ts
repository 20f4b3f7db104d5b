import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { bucketWith, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { exchange } from '../support/exchange.ts';
import { element, presignedUrl, putHead } from '../support/presigned.ts';

/** Headers of a PUT to an upload URL, which signs only Host. Each case names its source, or `none` if AWS's response is not known. The recordings of S3 contain more headers. */

const aws = await (await prepareRuns([bucketWith()])).start();

let counter = 0;

/** Sends `content` with these headers. */
async function put(lines: readonly string[], body = 'content') {
  counter += 1;
  const key = `uploads/${counter}`;
  const url = await presignedUrl({ endpoint: aws.endpoint, key, credentials: aws.operatorCredentials });
  const response = await exchange(aws.endpoint, [putHead(url, [...lines, 'Connection: close']), body]);
  const [code, ...details] = ['Code', 'Header', 'ArgumentName', 'HeadersNotSigned'].map((name) =>
    element(response, name),
  );
  return { key, outcome: [response.split(' ')[1], code, ...details].filter(Boolean).join(' ') };
}

const length = 'Content-Length: 7';
const localStack = 'LocalStack 2026-02-21';
const reference = 'S3 API reference, PutObject';
const chunked = 'Transfer-Encoding: chunked';
const notSigned = '403 AccessDenied';

test.for<[source: string, header: string, outcome: string]>([
  // All other unsigned `x-amz-*` headers are rejected in the same way.
  [localStack, 'x-amz-date: 20211122T191045Z', `${notSigned} x-amz-date`],
  [localStack, 'x-amz-decoded-content-length: 7', `${notSigned} x-amz-decoded-content-length`],
  ['aws-sdk-js-v3 3906', 'x-amz-checksum-sha256: abc', `${notSigned} x-amz-checksum-sha256`],
  [reference, 'x-amz-checksum-crc32: AAAAAA==', `${notSigned} x-amz-checksum-crc32`],
  [reference, 'x-amz-server-side-encryption: AES256', `${notSigned} x-amz-server-side-encryption`],
  [reference, 'x-amz-security-token: abc', `${notSigned} x-amz-security-token`],
  ['moodle-tool_objectfs 303', 'Authorization: Bearer t', '400 InvalidArgument Authorization'],
  ['aws-sdk-go 3429', 'Content-Range: bytes 0-6/14', '501 NotImplemented Content-Range'],
  ['versitygw 2400', 'Content-Encoding: gzip,aws-chunked', '400 InvalidArgument Content-Encoding'],
  ['versitygw 2400', 'Content-Encoding: aws-chunked, gzip', '400 InvalidArgument Content-Encoding'],
  ['aws-sdk-java 2034', 'Content-MD5: 32c295626872e465b3d0b590eb8e88a7', '400 InvalidDigest'],
  ['cloudserver 281', 'Content-MD5: ', '400 InvalidDigest'],
  // S3 rejected each condition in this way before it supported the condition.
  [
    'ceph s3-tests 218',
    'If-Modified-Since: Sat, 21 Feb 2026 00:00:00 GMT',
    '501 NotImplemented if-modified-since',
  ],
  [
    'ceph s3-tests 218',
    'If-Unmodified-Since: Sat, 21 Feb 2026 00:00:00 GMT',
    '501 NotImplemented if-unmodified-since',
  ],
])('rejects (%s) %s', async ([, header, outcome]) => {
  expect((await put([length, header])).outcome).toBe(outcome);
});

test.for<[source: string, lines: readonly string[], body: string, outcome: string]>([
  ['knox 43, e2b 1243', [chunked], '7\r\ncontent\r\n0\r\n\r\n', '501 NotImplemented Transfer-Encoding'],
  ['aws-sdk-go-v2 888, without a byte', [chunked], '0\r\n\r\n', '501 NotImplemented Transfer-Encoding'],
  ['irods 2301, asks first', [chunked, 'Expect: 100-continue'], '', '501 NotImplemented Transfer-Encoding'],
  ['versitygw 1248', [], '', '411 MissingContentLength'],
  ['RFC 9112 6.3, smuggling', [chunked, length], '7\r\ncontent\r\n0\r\n\r\n', '400 BadRequest'],
])('rejects a body without a length: %s', async ([, lines, body, outcome]) => {
  expect((await put(lines, body)).outcome).toBe(outcome);
});

test.for<[source: string, header: string]>([
  [localStack, 'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD'],
  ['none', 'x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['none, no x-amz-', 'X-Amzn-Trace-Id: Root=1-5759e988-bd862e3fe1be46a994272793'],
  [localStack, 'If-None-Match: *'],
  ['none', 'Content-Type: multipart/form-data; boundary="x'],
  [localStack, 'Origin: https://localhost:4200'],
  ['aws-sdk-go 615', 'Expect: 100-Continue'],
  ['RFC 9110 14.2', 'Range: bytes=0-2'],
  ['RFC 9110 10.1.4', 'TE: trailers, gzip'],
  ['RFC 9110 6.6.2', 'Trailer: Expires'],
  ['RFC 9110 6.6.1', 'Date: Mon, 22 Nov 2021 19:10:45 GMT'],
  ['RFC 6265', 'Cookie: session=1'],
  ['RFC 9110 7.6.3', 'Via: 1.1 proxy'],
  ['RFC 7239', 'Forwarded: for=192.0.2.1'],
  ['RFC 9530', 'Content-Digest: md5=:AAAA:'],
  ['RFC 9110 7.8', 'Upgrade: h2c'],
  ['RFC 9110 12.5', 'Accept-Encoding: gzip, deflate'],
])('accepts (%s) %s', async ([, header]) => {
  const { key, outcome } = await put([length, header]);
  expect(outcome).toMatch(/^(200|100)$/);
  const { Body } = await clients(aws).s3.send(new GetObjectCommand({ Bucket: 'test-bucket', Key: key }));
  expect(await Body?.transformToString()).toBe('content');
});

test.for<[source: string, name: string, value: string]>([
  ['aws-sdk-js-v3 3906', 'content-encoding', 'br'],
  [localStack, 'content-type', 'text/xml'],
  [reference, 'expires', 'Sat, 21 Feb 2026 00:00:00 GMT'],
])('stores with the object (%s) %s', async ([, name, value]) => {
  const { key } = await put([length, `${name}: ${value}`]);
  const { endpoint, operatorCredentials: credentials } = aws;
  const url = await presignedUrl({ endpoint, key, credentials, method: 'GET', query: {} });
  const head = await exchange(endpoint, [putHead(url, ['Connection: close']).replace('PUT', 'GET')]);
  expect(head).toContain(`\r\n${name}: ${value}\r\n`);
});
