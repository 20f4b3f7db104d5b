import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { checksumHeaders, type ObjectVersion } from './object-version.ts';
import { requireAccess, requireVersion, type S3Request, versionedAction } from './request.ts';
import { requestOption } from './signature-checks.ts';

/** First and last byte. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * GetObject and HeadObject. Writes the answer itself, so that content of any size streams.
 *
 * @throws {AwsError} as S3 answers, before anything is written
 */
export async function getObject(request: S3Request, common: Readonly<Record<string, string>>): Promise<void> {
  requireAccess(request, versionedAction(request, 'GetObject'));
  const version = await requireVersion(request);
  const { received, bucket } = request;
  requireMatch(received, version);
  const headers = { ...common, ...objectHeaders(version) };
  if (isUnchanged(received, version)) {
    received.response.writeHead(304, headers).end();
    return;
  }
  const range = parseRange(received.headers.range, version.size);
  const length = range === undefined ? version.size : range.end - range.start + 1;
  // The checksum covers the whole object, so an answer with a part of it has none.
  const withChecksum = length === version.size && wantsChecksum(received);
  received.response.writeHead(range === undefined ? 200 : 206, {
    ...headers,
    ...(withChecksum ? checksumHeaders(version.checksum) : {}),
    'content-length': String(length),
    ...(range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${version.size}` }),
  });
  if (received.method === 'HEAD' || length === 0) {
    received.response.end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: version.size - 1 };
  await sendContent(createReadStream(bucket.store.contentPath(version), { start, end }), length, received);
}

/**
 * @throws {Error} when the file is shorter than the object, because the client would wait for bytes that never arrive
 */
async function sendContent(
  content: ReadStream,
  length: number,
  { response }: ReceivedRequest,
): Promise<void> {
  await pipeline(content, response, { end: false });
  if (content.bytesRead < length) {
    throw new Error(`${content.path} holds ${content.bytesRead} of ${length} bytes that were asked for`);
  }
  response.end();
}

function objectHeaders(version: ObjectVersion): Record<string, string> {
  const tagCount = Object.keys(version.tags).length;
  const metadata = Object.entries(version.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  return {
    'accept-ranges': 'bytes',
    'content-type': version.contentType,
    etag: `"${version.etag}"`,
    'last-modified': new Date(version.lastModified).toUTCString(),
    'x-amz-server-side-encryption': 'AES256',
    'x-amz-version-id': version.versionId,
    ...(tagCount === 0 ? {} : { 'x-amz-tagging-count': String(tagCount) }),
    ...Object.fromEntries(metadata),
  };
}

/** S3 gives the checksum of an object to those who ask (S3 API reference, HeadObject, `x-amz-checksum-mode`). */
function wantsChecksum(received: ReceivedRequest): boolean {
  return requestOption(received, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
}

function requireMatch({ headers }: ReceivedRequest, version: ObjectVersion): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || lists(wanted, version.etag)) {
    return;
  }
  const text = 'At least one of the pre-conditions you specified did not hold';
  throw new AwsError(412, 'PreconditionFailed', text, { Condition: 'If-Match' });
}

function isUnchanged({ headers }: ReceivedRequest, version: ObjectVersion): boolean {
  const known = headers['if-none-match'];
  return known !== undefined && lists(known, version.etag);
}

function lists(header: string, etag: string): boolean {
  const etags = header.split(',').map((it) => it.trim().replace(/^W\//, '').replaceAll('"', ''));
  return etags.includes('*') || etags.includes(etag);
}

/** One range of bytes (RFC 9110 section 14.1.2); any other request for a range gets the whole content. */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) {
    return undefined;
  }
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end) {
    const details = { RangeRequested: header ?? '', ActualObjectSize: String(size) };
    throw new AwsError(416, 'InvalidRange', 'The requested range is not satisfiable', details);
  }
  return { start, end };
}
