import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { buildQueryString, HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import type { UploadSignerCredentials } from './assume-upload-signer.ts';

export interface PresignOptions {
  readonly bucketName: string;
  /** Host name of the bucket in AWS. */
  readonly bucketHost: string;
  readonly region: string;
  readonly lifetimeSeconds: number;
  /** Address of an S3 outside AWS. Its bucket name is part of the path. */
  readonly endpoint: string | undefined;
}

/**
 * Creates a function that presigns a `PUT` of one object for one upload. `If-None-Match: *` is a signed
 * parameter of the query string, so the client need not send the header. (`getSignedUrl` would turn it into a
 * signed header.) Only the header `host` is signed, and the URL contains no checksum. So any client can send
 * any file.
 */
export function createPresign(options: PresignOptions) {
  const address = bucketAddress(options);

  return async (key: string, credentials: UploadSignerCredentials, signingDate: Date): Promise<string> => {
    const presigner = new S3RequestPresigner({
      credentials,
      region: options.region,
      sha256: Hash.bind(null, 'sha256'),
    });
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
    return `${address.origin}${signed.path}?${buildQueryString(signed.query ?? {})}`;
  };
}

/** Returns the URL of the bucket, with a trailing slash. */
function bucketAddress({ bucketName, bucketHost, endpoint }: PresignOptions): URL {
  return new URL(endpoint ? `${endpoint.replace(/\/$/, '')}/${bucketName}/` : `https://${bucketHost}/`);
}
