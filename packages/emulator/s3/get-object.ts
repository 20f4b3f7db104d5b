import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ReceivedRequest } from '../protocols/request.ts';
import { checksumHeaders, type ObjectVersion } from './object-version.ts';
import {
  methodNotAllowed,
  namedVersion,
  noSuchKey,
  requestOption,
  requireAccess,
  requireVersion,
  type S3Request,
  versionedAction,
} from './request.ts';

/**
 * GetObject and HeadObject. Writes the response itself, to stream content of any size.
 *
 * @throws {AwsError} the error of S3, before anything is written
 * @throws {Error} when the file is shorter than the object, because the client would wait for bytes that
 * never arrive
 */
export async function getObject(request: S3Request): Promise<undefined> {
  requireAccess(request, versionedAction(request, 'GetObject'));
  const version = await requireVersion(request);
  if (version.deleteMarker) {
    throw namedVersion(request) === undefined
      ? noSuchKey(request, request.key, version)
      : methodNotAllowed(request, version);
  }
  const { received, bucket } = request;
  const { method, response } = received;
  response.writeHead(200, {
    ...objectHeaders(version),
    ...(wantsChecksum(received) ? checksumHeaders(version.crc64nvme) : {}),
    'content-length': String(version.size),
  });
  if (method === 'HEAD' || version.size === 0) {
    response.end();
    return;
  }
  const content = createReadStream(bucket.store.contentPath(version), { end: version.size - 1 });
  await pipeline(content, response, { end: false });
  if (content.bytesRead < version.size) {
    throw new Error(`${content.path} contains ${content.bytesRead} of ${version.size} bytes`);
  }
  response.end();
}

function objectHeaders(version: ObjectVersion): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-type': version.contentType,
    ...version.headers,
    etag: `"${version.etag}"`,
    'last-modified': new Date(version.lastModified).toUTCString(),
    'x-amz-server-side-encryption': 'AES256',
    'x-amz-version-id': version.versionId,
  };
}

/**
 * S3 returns the checksum of an object only on request (S3 API reference, HeadObject, `x-amz-checksum-mode`).
 */
function wantsChecksum(received: ReceivedRequest): boolean {
  return requestOption(received, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
}
