import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { notImplemented } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';
import type { ExtraDigest } from './receive-content.ts';
import { requestOption } from './signature-checks.ts';
import { parseTagQuery } from './tags.ts';

/** Largest object that one PUT makes: 5 GiB. */
const largestPutBytes = 5_368_709_120;

/** What a PUT asks for, checked as far as possible before its body is read. */
export interface PutOptions {
  /** Length of the content, in bytes. */
  readonly length: number;
  readonly onlyIfAbsent: boolean;
  readonly contentType: string;
  readonly metadata: ObjectVersion['metadata'];
  readonly tags: ObjectVersion['tags'];
  readonly contentMd5: Buffer | undefined;
  /** Base64 by algorithm. */
  readonly checksums: Readonly<Partial<Record<ExtraDigest, string>>>;
}

/** S3's own headers that a PUT may have. Others would change what is stored, and are refused. */
const knownHeaders = new Set([
  'x-amz-checksum-crc32',
  'x-amz-checksum-crc64nvme',
  'x-amz-checksum-sha256',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-security-token',
  'x-amz-tagging',
  'x-amz-user-agent',
]);

const checksumHeaders: Readonly<Record<ExtraDigest, string>> = {
  crc32: 'x-amz-checksum-crc32',
  crc64nvme: 'x-amz-checksum-crc64nvme',
  sha256: 'x-amz-checksum-sha256',
};

const digestBytes: Readonly<Record<ExtraDigest, number>> = { crc32: 4, crc64nvme: 8, sha256: 32 };

/**
 * @param payloadHash how the body is signed, as the caller's signature says
 * @param ignoresQueryCondition whether `If-None-Match` counts as a header only, for tests
 * @throws {AwsError} as S3 answers
 */
export function parsePutOptions(
  request: ReceivedRequest,
  payloadHash: string,
  ignoresQueryCondition: boolean,
): PutOptions {
  requireKnownHeaders(request, payloadHash);
  return {
    length: requireLength(request),
    onlyIfAbsent: parseIfNoneMatch(request, ignoresQueryCondition),
    contentType: request.headers['content-type'] ?? 'binary/octet-stream',
    metadata: parseMetadata(request),
    tags: parseTagQuery(requestOption(request, 'x-amz-tagging')),
    contentMd5: parseContentMd5(request.headers['content-md5']),
    checksums: parseChecksums(request),
  };
}

function requireKnownHeaders(request: ReceivedRequest, payloadHash: string): void {
  const unknown = Object.keys(request.headers).find(
    (name) => name.startsWith('x-amz-') && !name.startsWith('x-amz-meta-') && !knownHeaders.has(name),
  );
  if (unknown !== undefined) {
    throw notImplemented(unknown);
  }
  // The `aws-chunked` encoding, which the SDK uses for streams.
  if (payloadHash.startsWith('STREAMING-')) {
    throw notImplemented('x-amz-content-sha256');
  }
  if (request.headers['if-match'] !== undefined) {
    throw notImplemented('If-Match');
  }
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

/** In a presigned URL the condition can be in the query, so that the client need not know about it. */
function parseIfNoneMatch(request: ReceivedRequest, ignoresQueryCondition: boolean): boolean {
  const name = 'if-none-match';
  const value = ignoresQueryCondition ? request.headers[name] : requestOption(request, name);
  if (value === undefined) {
    return false;
  }
  if (value !== '*') {
    const additionalMessage = "We don't accept the provided value of If-None-Match header for this API";
    throw notImplemented('If-None-Match', { additionalMessage });
  }
  return true;
}

function parseMetadata(request: ReceivedRequest): ObjectVersion['metadata'] {
  const options = [
    ...Object.entries(request.headers),
    ...request.query.map(({ name, value }) => [name.toLowerCase(), value] as const),
  ];
  const prefix = 'x-amz-meta-';
  const entries = options.filter(([name]) => name.startsWith(prefix));
  const metadata = Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]));
  const size = Object.entries(metadata).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  if (size > 2048) {
    const text = 'Your metadata headers exceed the maximum allowed metadata size';
    throw new AwsError(400, 'MetadataTooLarge', text);
  }
  return metadata;
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

function parseChecksums(request: ReceivedRequest): PutOptions['checksums'] {
  const names = Object.keys(checksumHeaders) as ExtraDigest[];
  const given = names.flatMap((name) => {
    const value = requestOption(request, checksumHeaders[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (given.length > 1) {
    const text = 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.';
    throw new AwsError(400, 'InvalidRequest', text);
  }
  for (const [name, value] of given) {
    const digest = Buffer.from(value, 'base64');
    if (digest.length !== digestBytes[name] || digest.toString('base64') !== value) {
      const text = `Value for ${checksumHeaders[name]} header is invalid.`;
      throw new AwsError(400, 'InvalidRequest', text);
    }
  }
  return Object.fromEntries(given);
}
