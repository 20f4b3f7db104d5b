import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { QueryParameter, ReceivedRequest } from '../protocols/request.ts';
import type { Credentials } from './credentials.ts';

/** Parts of the signature (SigV4) in a request. */
export interface ClaimedSignature {
  readonly accessKeyId: string;
  /** `YYYYMMDD` of the credential scope. */
  readonly scopeDate: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** Names of the query parameters of a presigned URL (S3 API reference, "Authenticating requests: query parameters"). */
export const presignedParameters = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-Date',
  'X-Amz-SignedHeaders',
  'X-Amz-Expires',
] as const;

/** Maximum difference between the time of a request and the emulator's clock (SigV4: 15 minutes). */
export const maxClockSkewMilliseconds = 15 * 60 * 1000;

const authorizationPattern =
  /^AWS4-HMAC-SHA256 +Credential=([^/, ]+)\/(\d{8})\/([^/, ]+)\/([^/, ]+)\/aws4_request, *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/;

/** Reads an Authorization header; returns undefined when it is malformed. */
export function parseAuthorization(header: string): ClaimedSignature | undefined {
  const match = authorizationPattern.exec(header.trim());
  if (match === null) {
    return undefined;
  }
  const [, accessKeyId = '', scopeDate = '', region = '', service = '', signedHeaders = '', signature = ''] =
    match;
  return { accessKeyId, scopeDate, region, service, signedHeaders: signedHeaders.split(';'), signature };
}

/** Reads SigV4's time format, `YYYYMMDDTHHMMSSZ`; returns undefined when it is malformed. */
export function parseAmzDate(text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second] = match;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Checks the signature in the Authorization header: the SDK's signer must create the same signature for this
 * request and these credentials.
 *
 * @param payload body of the request. S3 signs the value of `x-amz-content-sha256` instead of the body
 */
export async function verifyHeaderSignature(
  request: ReceivedRequest,
  claimed: ClaimedSignature,
  credentials: Credentials,
  signingDate: Date,
  payload: Buffer,
): Promise<boolean> {
  const signable = new Set(claimed.signedHeaders);
  const resigned = await signerFor(claimed, credentials).sign(
    httpRequest(request, claimed, request.query, payload),
    { signingDate, signableHeaders: signable },
  );
  const expected = parseAuthorization(resigned.headers.authorization ?? '');
  return (
    expected?.signature === claimed.signature && sameNames(expected.signedHeaders, claimed.signedHeaders)
  );
}

/** Checks the signature in a presigned URL in the same way. @param expires X-Amz-Expires, in seconds */
export async function verifyPresignedSignature(
  request: ReceivedRequest,
  claimed: ClaimedSignature,
  credentials: Credentials,
  signingDate: Date,
  expires: number,
): Promise<boolean> {
  const signable = new Set(claimed.signedHeaders);
  const own = new Set<string>([...presignedParameters, 'X-Amz-Security-Token']);
  const rest = request.query.filter(({ name }) => !own.has(name));
  // The signer uses UNSIGNED-PAYLOAD for a body that is not bytes, as S3 does for every presigned URL.
  const unsigned = httpRequest(request, claimed, rest, {});
  const resigned = await signerFor(claimed, credentials).presign(unsigned, {
    signingDate,
    expiresIn: expires,
    signableHeaders: signable,
    unhoistableHeaders: signable,
  });
  const query = resigned.query ?? {};
  return (
    query['X-Amz-Signature'] === claimed.signature &&
    sameNames(String(query['X-Amz-SignedHeaders']).split(';'), claimed.signedHeaders)
  );
}

function signerFor(claimed: ClaimedSignature, credentials: Credentials): SignatureV4 {
  return new SignatureV4({
    credentials,
    region: claimed.region,
    service: claimed.service,
    sha256: Hash.bind(null, 'sha256'),
    applyChecksum: false,
    // Services other than S3 normalize the path and encode it a second time.
    uriEscapePath: claimed.service !== 's3',
  });
}

function httpRequest(
  request: ReceivedRequest,
  { service, signedHeaders }: ClaimedSignature,
  query: readonly QueryParameter[],
  body: unknown,
): HttpRequest {
  return new HttpRequest({
    method: request.method,
    path: service === 's3' ? encodeAgain(request.path) : request.path,
    headers: pickHeaders(request, new Set(signedHeaders)),
    query: groupQuery(query),
    body,
  });
}

/**
 * S3 decodes a path, and encodes each byte outside RFC 3986's unreserved characters
 * (https://github.com/aws/aws-sdk-js/issues/853). Several spellings of a path are therefore valid.
 */
function encodeAgain(path: string): string {
  return encodeURIComponent(decodeURIComponent(path))
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function groupQuery(query: readonly QueryParameter[]): Record<string, string | string[]> {
  const grouped = new Map<string, string[]>();
  for (const { name, value } of query) {
    grouped.set(name, [...(grouped.get(name) ?? []), value]);
  }
  return Object.fromEntries(grouped);
}

/** Node decodes each byte of a header as one character. The signature covers the bytes decoded as UTF-8. */
function pickHeaders(request: ReceivedRequest, names: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers)
      .filter(([name]) => names.has(name))
      .map(([name, value]) => [name, Buffer.from(value, 'latin1').toString()]),
  );
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, i) => name === other[i]);
}
