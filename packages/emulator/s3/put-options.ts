import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { invalidArgument, notImplemented } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';
import type { Parameters } from './parameters.ts';
import { requestOption } from './request.ts';

/** Largest object of one PUT: 5 GiB. */
const maxPutBytes = 5_368_709_120;

/** Options of a PUT, checked before its body is read where possible. */
export interface PutOptions {
  /** Length of the content, in bytes. */
  readonly length: number;
  /** True if the key must have no object (`If-None-Match: *`). */
  readonly ifAbsent: boolean;
  readonly contentType: string;
  readonly headers: ObjectVersion['headers'];
  readonly tags: ObjectVersion['tags'];
  readonly contentMd5: Buffer | undefined;
}

/** AWS ignores a checksum in the query. Here a URL with a checksum is rejected. */
export const putParameters: Parameters = {
  options: ['if-none-match', 'x-amz-tagging'],
  // `Range` is defined only for GET (RFC 9110 section 14.2).
  headers: ['range'],
};

/** Headers that S3 stores with an object and returns to readers (S3 User Guide, "Object metadata"). */
const storedHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
];

/**
 * @param payloadHash signing of the body, as stated in the caller's signature
 * @param ignoresIfNoneMatch true if `If-None-Match` in the query is ignored, for tests
 * @throws {AwsError} the error of S3
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
  requirePlainBody(request, payloadHash);
  return {
    length: requireLength(request),
    ifAbsent: parseCondition(request, ignoresIfNoneMatch),
    contentType: request.headers['content-type'] ?? 'binary/octet-stream',
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => storedHeaders.includes(name)),
    ),
    tags: parseTags(requestOption(request, 'x-amz-tagging') ?? ''),
    contentMd5: parseContentMd5(request.headers['content-md5']),
  };
}

/**
 * Rejects a body in chunks, or a part of an object. Reports show these responses of AWS:
 * https://github.com/Automattic/knox/issues/43, https://github.com/aws/aws-sdk-go/issues/3429,
 * https://github.com/versity/versitygw/pull/2400.
 */
function requirePlainBody({ headers }: ReceivedRequest, payloadHash: string): void {
  const unsupported = ['Transfer-Encoding', 'Content-Range'].find((name) => name.toLowerCase() in headers);
  if (unsupported !== undefined) {
    throw notImplemented(unsupported);
  }
  const encoding = headers['content-encoding'] ?? '';
  if (payloadHash === 'UNSIGNED-PAYLOAD' && /(^|,)\s*aws-chunked\s*(,|$)/i.test(encoding)) {
    const text =
      'aws-chunked encoding is not supported when x-amz-content-sha256 UNSIGNED-PAYLOAD is supplied';
    throw invalidArgument(text, 'Content-Encoding', encoding);
  }
}

function requireLength(request: ReceivedRequest): number {
  const text = request.headers['content-length'];
  if (text === undefined || !/^\d+$/.test(text)) {
    throw new AwsError(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  const length = Number(text);
  if (length > maxPutBytes) {
    const text = 'Your proposed upload exceeds the maximum allowed size';
    const details = { ProposedSize: String(length), MaxSizeAllowed: String(maxPutBytes) };
    throw new AwsError(400, 'EntityTooLarge', text, details);
  }
  return length;
}

/** A presigned URL may contain the condition in its query: the client then need not know the condition. */
function parseCondition(request: ReceivedRequest, ignoresIfNoneMatch: boolean): boolean {
  const ifNoneMatch = ignoresIfNoneMatch
    ? request.headers['if-none-match']
    : requestOption(request, 'if-none-match');
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    const additionalMessage = "We don't accept the provided value of If-None-Match header for this API";
    throw notImplemented('If-None-Match', { additionalMessage });
  }
  return ifNoneMatch !== undefined;
}

/** The header has the form of a query string. */
function parseTags(text: string): ObjectVersion['tags'] {
  const tags = [...new URLSearchParams(text)];
  const names = new Set(tags.map(([name]) => name));
  if (names.size < tags.length || tags.flat().some((part) => part.includes(','))) {
    throw invalidArgument(
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
      'x-amz-tagging',
      text,
    );
  }
  return Object.fromEntries(tags);
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
