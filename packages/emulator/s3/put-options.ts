import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { notImplemented } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';
import type { Parameters } from './parameters.ts';
import { requestOption } from './request.ts';

/** Largest object that one PUT makes: 5 GiB. */
const largestPutBytes = 5_368_709_120;

/** What a PUT asks for, checked as far as possible before its body is read. */
export interface PutOptions {
  /** Length of the content, in bytes. */
  readonly length: number;
  readonly onlyIfAbsent: boolean;
  readonly contentType: string;
  readonly tags: ObjectVersion['tags'];
  readonly contentMd5: Buffer | undefined;
  /** Base64. */
  readonly crc32: string | undefined;
}

export const putParameters: Parameters = {
  options: ['if-none-match', 'x-amz-checksum-crc32', 'x-amz-sdk-checksum-algorithm', 'x-amz-tagging'],
};

/**
 * @param payloadHash how the body is signed, as the caller's signature says
 * @param ignoresIfNoneMatch whether `If-None-Match` in the query is ignored, for tests
 * @throws {AwsError} as S3 answers
 */
export function parsePutOptions(
  request: ReceivedRequest,
  payloadHash: string,
  ignoresIfNoneMatch: boolean,
): PutOptions {
  // The SDK uses the `aws-chunked` encoding for streams.
  if (payloadHash.startsWith('STREAMING-')) {
    throw notImplemented('x-amz-content-sha256');
  }
  return {
    length: requireLength(request),
    onlyIfAbsent: parseIfNoneMatch(request, ignoresIfNoneMatch),
    contentType: request.headers['content-type'] ?? 'binary/octet-stream',
    // The header has the form of a query string.
    tags: Object.fromEntries(new URLSearchParams(requestOption(request, 'x-amz-tagging') ?? '')),
    contentMd5: parseContentMd5(request.headers['content-md5']),
    crc32: parseCrc32(request),
  };
}

function requireLength(request: ReceivedRequest): number {
  const text = request.headers['content-length'];
  if (text === undefined || !/^\d+$/.test(text)) {
    throw new AwsError(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  const length = Number(text);
  if (length > largestPutBytes) {
    const text = 'Your proposed upload exceeds the maximum allowed size';
    const details = { ProposedSize: String(length), MaxSizeAllowed: String(largestPutBytes) };
    throw new AwsError(400, 'EntityTooLarge', text, details);
  }
  return length;
}

/** A presigned URL can have the condition in its query, so that the client need not know the condition. */
function parseIfNoneMatch(request: ReceivedRequest, ignoresIfNoneMatch: boolean): boolean {
  const name = 'if-none-match';
  const value = ignoresIfNoneMatch ? request.headers[name] : requestOption(request, name);
  if (value === undefined) {
    return false;
  }
  if (value !== '*') {
    const additionalMessage = "We don't accept the provided value of If-None-Match header for this API";
    throw notImplemented('If-None-Match', { additionalMessage });
  }
  return true;
}

function parseContentMd5(text: string | undefined): Buffer | undefined {
  if (text === undefined) {
    return undefined;
  }
  const digest = Buffer.from(text, 'base64');
  if (digest.length !== 16 || digest.toString('base64') !== text) {
    const details = { 'Content-MD5': text };
    throw new AwsError(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.', details);
  }
  return digest;
}

/** The checksum that the SDK sends by default. */
function parseCrc32(request: ReceivedRequest): string | undefined {
  const value = requestOption(request, 'x-amz-checksum-crc32');
  if (value !== undefined && !/^[A-Za-z0-9+/]{6}==$/.test(value)) {
    throw new AwsError(400, 'InvalidRequest', 'Value for x-amz-checksum-crc32 header is invalid.');
  }
  return value;
}
