import { createHash, createHmac } from 'node:crypto';

/** The credentials of the function's role. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SigningScope {
  /** Service name of the signature, such as `dynamodb`. */
  readonly service: string;
  readonly region: string;
}

/** A request with all that its signature covers. Its path has no character to encode, and it has no query. */
export interface SignableRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returns the headers with which a request is signed at the given time (milliseconds since the epoch). */
export type SignAwsRequest = (request: SignableRequest, now: number) => Record<string, string>;

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs requests by Signature Version 4 ("Create a signed AWS API request" in the IAM User Guide). What does not change
 * between requests is made once: the key of a day, and the names of the signed headers.
 *
 * Signed are the headers that AWS demands: `host`, `content-type`, and all that start with `x-amz-`.
 */
export function createSignAwsRequest(
  { service, region }: SigningScope,
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
): SignAwsRequest {
  let keyOfDay = { day: '', scope: '', key: Buffer.alloc(0) };

  function keyFor(day: string) {
    if (keyOfDay.day !== day) {
      const parts = [day, region, service, 'aws4_request'];
      const first: string | Buffer = `AWS4${secretAccessKey}`;
      const key = parts.reduce<string | Buffer>((derived, part) => hmac(derived, part).digest(), first);
      keyOfDay = { day, scope: parts.join('/'), key: Buffer.from(key) };
    }
    return keyOfDay;
  }

  return ({ method, path, headers, body }, now) => {
    const time = basicTime(now);
    const signed: Record<string, string> = { ...headers, 'x-amz-date': time };
    if (sessionToken !== undefined) {
      signed['x-amz-security-token'] = sessionToken;
    }
    const names = Object.keys(signed).filter(isSigned).sort();
    const signedNames = names.join(';');
    const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
    const canonical = `${method}\n${path}\n\n${lines}\n${signedNames}\n${sha256(body)}`;
    const { scope, key } = keyFor(time.slice(0, 8));
    const signature = hmac(key, `${algorithm}\n${time}\n${scope}\n${sha256(canonical)}`).digest('hex');
    signed.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
    return signed;
  };
}

function isSigned(name: string): boolean {
  return name === 'host' || name === 'content-type' || name.startsWith('x-amz-');
}

/** ISO 8601 basic format without fractions: `20130524T000000Z`. */
function basicTime(now: number): string {
  return new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text);
}
