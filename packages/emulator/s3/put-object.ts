import { randomUUID } from 'node:crypto';
import type { Answer } from '../protocols/answer.ts';
import { acceptBody, type ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { discard, requireAbsent } from './object-store.ts';
import { type Checksum, checksumHeaders } from './object-version.ts';
import { type PutOptions, parsePutOptions } from './put-options.ts';
import { type ExtraDigest, type ReceivedContent, receiveContent } from './receive-content.ts';
import { requireAccess, type S3Request } from './request.ts';
import { requestOption } from './signature-checks.ts';

/**
 * PutObject. What can be refused without the body is refused before the body is read. In the end the object exists
 * completely or not at all.
 *
 * @throws {AwsError} as S3 answers
 */
export async function putObject(request: S3Request): Promise<Answer> {
  const { received, bucket, key } = request;
  const context = putContext(received);
  requireAccess(request, 's3:PutObject', context);
  const options = parsePutOptions(received, request.caller.payloadHash, bucket.ignoresQueryCondition);
  if (Object.keys(options.tags).length > 0) {
    requireAccess(request, 's3:PutObjectTagging', context);
  }
  if (options.onlyIfAbsent) {
    requireAbsent(await bucket.store.latest(key));
  }

  const content = await receive(request, options);
  const { contentType, metadata, tags } = options;
  const { path, size } = content;
  const etag = content.md5.toString('hex');
  const checksum = checksumOf(content, options);
  try {
    const version = await bucket.store.put(
      key,
      { path, size, etag, checksum, contentType, metadata, tags },
      options.onlyIfAbsent,
      bucket.listenerFor(received),
    );
    return { status: 200, headers: putHeaders(etag, version.versionId, checksum) };
  } catch (error) {
    await discard(path);
    throw error;
  }
}

/**
 * S3 keeps the checksum that came with an object. Of an object that came without one, it computes CRC-64/NVME (S3 User
 * Guide, "Checking object integrity for data uploads in Amazon S3").
 */
function checksumOf({ extra }: ReceivedContent, options: PutOptions): Checksum {
  const name = keptDigest(options);
  const value = extra[name];
  if (value === undefined) {
    throw new Error(`No ${name} was computed`);
  }
  return { algorithm: checksumAlgorithms[name], value: value.toString('base64') };
}

const checksumAlgorithms = { crc32: 'CRC32', crc64nvme: 'CRC64NVME', sha256: 'SHA256' } as const;

function keptDigest({ checksums }: PutOptions): ExtraDigest {
  const [given] = Object.keys(checksums) as ExtraDigest[];
  return given ?? 'crc64nvme';
}

function putHeaders(etag: string, versionId: string, checksum: Checksum): Record<string, string> {
  return {
    etag: `"${etag}"`,
    'x-amz-version-id': versionId,
    'x-amz-server-side-encryption': 'AES256',
    ...checksumHeaders(checksum),
  };
}

async function receive(
  { received, caller, bucket }: S3Request,
  options: PutOptions,
): Promise<ReceivedContent> {
  acceptBody(received);
  const source: AsyncIterable<Buffer> = received.message;
  const path = bucket.store.incoming(randomUUID());
  const signedHash = /^[0-9a-f]{64}$/.test(caller.payloadHash) ? caller.payloadHash : undefined;
  const wanted = new Set<ExtraDigest>([keptDigest(options)]);
  if (signedHash !== undefined) {
    wanted.add('sha256');
  }
  const content = await receiveBody(source, path, [...wanted]);
  try {
    requireGenuine(content, options, signedHash);
    return content;
  } catch (error) {
    await discard(path);
    throw error;
  }
}

async function receiveBody(
  source: AsyncIterable<Buffer>,
  path: string,
  wanted: ExtraDigest[],
): Promise<ReceivedContent> {
  try {
    return await receiveContent(source, path, wanted);
  } catch (error) {
    // What Node throws when the connection ends before the body does.
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') {
      const text = 'You did not provide the number of bytes specified by the Content-Length HTTP header';
      throw new AwsError(400, 'IncompleteBody', text);
    }
    throw error;
  }
}

function requireGenuine(content: ReceivedContent, options: PutOptions, signedHash: string | undefined): void {
  if (content.size !== options.length) {
    const text = 'You did not provide the number of bytes specified by the Content-Length HTTP header';
    throw new AwsError(400, 'IncompleteBody', text);
  }
  if (options.contentMd5 !== undefined && !options.contentMd5.equals(content.md5)) {
    throw new AwsError(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.', {
      ExpectedDigest: options.contentMd5.toString('hex'),
      CalculatedDigest: content.md5.toString('base64'),
    });
  }
  if (signedHash !== undefined && content.extra.sha256?.toString('hex') !== signedHash) {
    const text = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw new AwsError(400, 'XAmzContentSHA256Mismatch', text);
  }
  for (const [name, expected] of Object.entries(options.checksums)) {
    if (content.extra[name as ExtraDigest]?.toString('base64') === expected) {
      continue;
    }
    const text = `The ${name.toUpperCase()} you specified did not match the calculated checksum.`;
    throw new AwsError(400, 'BadDigest', text);
  }
}

/** Condition keys that PutObject adds to the request context (S3, "Actions, resources, and condition keys"). */
function putContext(received: ReceivedRequest): Record<string, string> {
  const ifNoneMatch = requestOption(received, 'if-none-match');
  const tags = [...new URLSearchParams(requestOption(received, 'x-amz-tagging') ?? '').entries()];
  return {
    ...(ifNoneMatch === undefined ? {} : { 's3:if-none-match': ifNoneMatch }),
    ...Object.fromEntries(tags.map(([name, value]) => [`s3:RequestObjectTag/${name}`, value])),
  };
}
