import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/protocol-http';
import type { UploadSignerCredentials } from './assume-upload-signer.ts';

export interface PresignOptions {
  readonly roleArn: string;
  readonly bucketName: string;
  readonly region: string;
  readonly lifetimeSeconds: number;
  /** Another S3 than AWS's, addressed path style. */
  readonly endpoint: string | undefined;
}

/**
 * Presigns `PUT` of one object so that it takes one upload: `If-None-Match: *` is signed into the query string,
 * where S3 honours it without the client sending a header (`getSignedUrl` would make it a signed header). Signed
 * headers are `host` alone, and no checksum is in the URL, so that any client can send any file.
 */
export function createPresign(options: PresignOptions) {
  const address = bucketAddress(options);

  return async (key: string, credentials: UploadSignerCredentials, signingDate: Date): Promise<string> => {
    const presigner = new S3RequestPresigner({ credentials, region: options.region, sha256: NodeSha256 });
    const signed = await presigner.presign(
      new HttpRequest({
        method: 'PUT',
        protocol: address.protocol,
        hostname: address.hostname,
        ...(address.port ? { port: Number(address.port) } : {}),
        path: `${address.pathname}${key}`,
        query: { 'If-None-Match': '*' },
      }),
      { expiresIn: options.lifetimeSeconds, signingDate },
    );
    return `${address.origin}${signed.path}?${queryString(signed.query ?? {})}`;
  };
}

/** Where the bucket's objects are, with a trailing slash. */
function bucketAddress({ bucketName, region, endpoint, roleArn }: PresignOptions): URL {
  if (endpoint) {
    return new URL(`${endpoint.replace(/\/$/, '')}/${bucketName}/`);
  }
  // The DNS suffix of the one partition that has another ("Endpoints and ARNs for AWS in China").
  const suffix = roleArn.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://${bucketName}.s3.${region}.${suffix}/`);
}

/** Encodes as the signer does: every character outside of RFC 3986's unreserved ones. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return pairs.join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** SHA-256 and its HMAC as the signer takes them, by Node's own crypto: faster than the SDK's JavaScript one. */
class NodeSha256 {
  private readonly secret: Data | undefined;
  private hash: Hash | Hmac;

  constructor(secret?: Data) {
    this.secret = secret;
    this.hash = newHash(secret);
  }

  update(data: Uint8Array): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = newHash(this.secret);
  }
}

type Data = string | ArrayBuffer | ArrayBufferView;

function newHash(secret: Data | undefined): Hash | Hmac {
  return secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
}

function bytes(data: Data): Uint8Array {
  if (typeof data === 'string') {
    return Buffer.from(data, 'utf8');
  }
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
