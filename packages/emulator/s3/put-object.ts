import { randomUUID } from 'node:crypto';
import { acceptBody } from '../protocols/request.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { AwsError, codeOf } from '../shared/errors.ts';
import { removeFile } from '../shared/files.ts';
import { requireAbsent } from './object-store.ts';
import { checksumHeaders } from './object-version.ts';
import { type PutOptions, parsePutOptions } from './put-options.ts';
import { type ReceivedContent, receiveContent } from './receive-content.ts';
import { requireAccess, type S3Request } from './request.ts';

/**
 * PutObject. Rejects a request before reading its body where possible. In the end the object exists
 * completely or not at all.
 *
 * @throws {AwsError} the error of S3
 */
export async function putObject(request: S3Request): Promise<HttpResponse> {
  const { received, bucket, key } = request;
  requireAccess(request, 's3:PutObject');
  const options = parsePutOptions(received, request.caller.payloadHash, bucket.ignoresIfNoneMatch);
  if (Object.keys(options.tags).length > 0) {
    requireAccess(request, 's3:PutObjectTagging');
  }
  if (options.ifAbsent) {
    requireAbsent(await bucket.store.latest(key));
  }

  const content = await receive(request, options);
  const { contentType, headers, tags } = options;
  const { path, size, crc64nvme } = content;
  const etag = content.md5.toString('hex');
  try {
    const version = await bucket.store.put(
      key,
      { path, size, etag, crc64nvme, contentType, headers, tags },
      options.ifAbsent,
      bucket.prepareFor(bucket.name, received),
    );
    return { status: 200, headers: putHeaders(etag, version.versionId, crc64nvme) };
  } catch (error) {
    await removeFile(path);
    throw error;
  }
}

function putHeaders(etag: string, versionId: string, crc64nvme: string): Record<string, string> {
  return {
    etag: `"${etag}"`,
    'x-amz-version-id': versionId,
    'x-amz-server-side-encryption': 'AES256',
    ...checksumHeaders(crc64nvme),
  };
}

async function receive(
  { received, caller, bucket }: S3Request,
  options: PutOptions,
): Promise<ReceivedContent> {
  acceptBody(received);
  const source: AsyncIterable<Buffer> = received.message.iterator({ destroyOnReturn: false });
  const path = bucket.store.incoming(randomUUID());
  const content = await receiveContent(source, path, isDigest(caller.payloadHash)).catch((error) => {
    // Node throws ECONNRESET when the connection ends before the body does.
    throw codeOf(error) === 'ECONNRESET' ? incomplete() : error;
  });
  try {
    requireGenuine(content, options, caller.payloadHash);
    return content;
  } catch (error) {
    await removeFile(path);
    throw error;
  }
}

function incomplete(): AwsError {
  const text = 'You did not provide the number of bytes specified by the Content-Length HTTP header';
  return new AwsError(400, 'IncompleteBody', text);
}

function requireGenuine(content: ReceivedContent, options: PutOptions, payloadHash: string): void {
  if (content.size !== options.length) {
    throw incomplete();
  }
  if (options.contentMd5 !== undefined && !options.contentMd5.equals(content.md5)) {
    throw new AwsError(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.', {
      ExpectedDigest: options.contentMd5.toString('hex'),
      CalculatedDigest: content.md5.toString('base64'),
    });
  }
  if (isDigest(payloadHash) && content.sha256?.toString('hex') !== payloadHash) {
    const text = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new AwsError(400, 'XAmzContentSHA256Mismatch', text);
  }
}

/** Returns true if the body is signed with the request, and not sent as `UNSIGNED-PAYLOAD`. */
function isDigest(payloadHash: string): boolean {
  return /^[0-9a-f]{64}$/.test(payloadHash);
}
