import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { Credentials } from '../../authentication/credentials.ts';

export interface PresignOptions {
  /** Bucket. Default: `test-bucket`. */
  readonly bucket?: string;
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly key: string;
  readonly method?: string;
  /** Query parameters that the signature covers, besides the `X-Amz-` parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Signed headers besides the host. */
  readonly signed?: Readonly<Record<string, string>>;
  readonly expiresIn?: number;
  readonly signingDate?: Date;
}

/** Presigns a URL. Default: an upload URL of the service for one use, by a condition in the query. */
export async function presignedUrl({
  endpoint,
  credentials,
  bucket = 'test-bucket',
  key,
  method = 'PUT',
  query = { 'If-None-Match': '*' },
  signed = {},
  expiresIn = 3600,
  signingDate = new Date(),
}: PresignOptions): Promise<string> {
  const { hostname, port, host } = new URL(endpoint);
  const presigner = new S3RequestPresigner({
    credentials,
    region: 'us-east-1',
    sha256: Hash.bind(null, 'sha256'),
  });
  const address = { protocol: 'http:', hostname, port: Number(port), path: `/${bucket}/${key}` };
  const headers = { host, ...signed };
  const presigned = await presigner.presign(new HttpRequest({ ...address, method, query, headers }), {
    expiresIn,
    signingDate,
    unhoistableHeaders: new Set(Object.keys(signed)),
    signableHeaders: new Set(Object.keys(headers)),
  });
  const url = new URL(`${endpoint}${presigned.path}`);
  for (const [name, value] of Object.entries(presigned.query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** Returns the URL with one query parameter changed, or removed (null). */
export function withParameter(url: string, name: string, value: string | null): string {
  const changed = new URL(url);
  if (value === null) {
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
