import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as openRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { s3Client } from '../../operator/deployment/aws-clients.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { TextStream } from '../../terminal/output.ts';
import { createProgress, transferText } from '../../terminal/progress.ts';

export interface PutOptions {
  readonly bytes: number;
  readonly uploadUrl: string;
  /** Where the progress is drawn. */
  readonly stream: TextStream;
  readonly signal: AbortSignal;
}

const blockBytes = 1024 * 1024;

/**
 * Streams random bytes to the upload URL in one PUT. Its only header is the length.
 *
 * @returns the status, a 2xx, and the SHA-256 of what was sent in lower-case hexadecimal
 * @throws {Error} for any other answer
 */
export async function putRandomBytes({ bytes, uploadUrl, stream, signal }: PutOptions) {
  const progress = createProgress(stream, transferText('   sending', bytes));
  const hash = createHash('sha256');
  async function* content() {
    for (let sent = 0; sent < bytes; progress.update(sent)) {
      const block = randomBytes(Math.min(blockBytes, bytes - sent));
      hash.update(block);
      yield block;
      sent += block.length;
    }
  }
  const headers = { 'content-length': bytes };
  const request = openRequest(uploadUrl, { method: 'PUT', headers, signal });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  const [answer] = await Promise.all([answered, pipeline(content, request)]);
  progress.finish();
  const body = await answer.setEncoding('utf8').toArray();
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) {
    throw new Error(`The PUT was answered ${status} ${body.join('')}`);
  }
  return { status, sha256: hash.digest('hex') };
}

export interface ObjectLocation {
  readonly bucket: string;
  readonly key: string;
}

/** The object behind an upload URL of the local run, whose path starts with the bucket. */
export function objectOf(uploadUrl: string, bucket: string): ObjectLocation {
  const path = decodeURIComponent(new URL(uploadUrl).pathname);
  return { bucket, key: path.slice(`/${bucket}/`.length) };
}

/** Reads an object as the operator. @returns the SHA-256 of its content in lower-case hexadecimal */
export async function hashStoredObject(deployment: Deployment, { bucket, key }: ObjectLocation) {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  const client = await s3Client(deployment);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!(Body instanceof Readable)) {
    throw new Error(`S3 gave no content for ${key}.`);
  }
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of Body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  client.destroy();
  return { bytes, sha256: hash.digest('hex') };
}

/** Describes an upload URL for people: where it leads, and for how long it is good. */
export function describeUploadUrl(uploadUrl: string): string {
  const { origin, searchParams } = new URL(uploadUrl);
  return `a URL at ${origin}, good for one PUT within ${searchParams.get('X-Amz-Expires')} s`;
}
