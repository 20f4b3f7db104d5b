import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { Credentials } from '../../authentication/credentials.ts';

export interface UploadUrlOptions {
  readonly endpoint: string;
  readonly bucket: string;
  readonly key: string;
  readonly credentials: Credentials;
  readonly expiresIn?: number;
  readonly signingDate?: Date;
}

/** Makes an upload URL as the service does: one use, by a condition signed into the query. */
export async function uploadUrl(options: UploadUrlOptions): Promise<string> {
  const { hostname, port } = new URL(options.endpoint);
  const presigner = new S3RequestPresigner({
    credentials: options.credentials,
    region: 'us-east-1',
    sha256: Hash.bind(null, 'sha256'),
  });
  const unsigned = new HttpRequest({
    protocol: 'http:',
    hostname,
    port: Number(port),
    method: 'PUT',
    path: `/${options.bucket}/${options.key}`,
    query: { 'If-None-Match': '*' },
    headers: { host: `${hostname}:${port}` },
  });
  const { path, query } = await presigner.presign(unsigned, {
    expiresIn: options.expiresIn ?? 3600,
    ...(options.signingDate === undefined ? {} : { signingDate: options.signingDate }),
  });
  const search = Object.entries(query ?? {}).map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replace(/\*/g, '%2A')}`,
  );
  return `${options.endpoint}${path}?${search.join('&')}`;
}

/** The URL with one query parameter changed, or taken out. */
export function withParameter(url: string, name: string, value: string | undefined): string {
  const changed = new URL(url);
  if (value === undefined) {
    changed.searchParams.delete(name);
  } else {
    changed.searchParams.set(name, value);
  }
  return changed.href;
}

/** The head of a PUT to the URL, as bytes. */
export function putHead(url: string, lines: readonly string[]): string {
  const { pathname, search, host } = new URL(url);
  return [`PUT ${pathname}${search} HTTP/1.1`, `host: ${host}`, ...lines, '', ''].join('\r\n');
}

/** An element of S3's error document. */
export function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
