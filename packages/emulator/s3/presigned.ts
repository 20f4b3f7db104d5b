import type { Authentication } from '../authentication/authenticate.ts';
import type { CredentialLookup } from '../authentication/credentials.ts';
import {
  type ClaimedSignature,
  maxClockSkewMilliseconds,
  parseAmzDate,
  presignedParameters,
  verifyPresignedSignature,
} from '../authentication/signature.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { isoSeconds } from '../shared/clock.ts';
import { AwsError } from '../shared/errors.ts';
import type { S3Caller } from './caller.ts';
import { notImplemented } from './errors.ts';

/** Longest lifetime of a presigned URL: a week. */
const maxExpirySeconds = 604_800;

/** Returns true if a request must be authenticated by its query: if it contains any of the parameters. */
export function isPresigned(request: ReceivedRequest): boolean {
  const names: ReadonlySet<string> = new Set(presignedParameters);
  return request.query.some(({ name }) => names.has(name));
}

/**
 * Authenticates a presigned URL (S3 API reference, "Authenticating requests: using query parameters"). As in
 * S3, the time is checked before the signature: an expired URL is reported as expired, regardless of its
 * other errors.
 */
export async function authenticatePresigned(
  request: ReceivedRequest,
  { credentials, stack, now }: Authentication,
): Promise<S3Caller> {
  const { claimed, signingDate, expires, token } = readParameters(request, stack.region);
  const seconds = Number(expires);
  requireInTime(signingDate, seconds, now());
  const known = requireKnown(credentials.lookUp(claimed.accessKeyId, token, now()), claimed.accessKeyId);
  requireSignedHeaders(request, claimed);
  // The signature covers the text of X-Amz-Expires, and the number is verified. Another spelling of the
  // number was not signed.
  const genuine =
    expires === String(seconds) &&
    (await verifyPresignedSignature(request, claimed, known.credentials, signingDate, seconds));
  if (!genuine) {
    throw signatureMismatch(claimed);
  }
  requireUnsignedBody(request, claimed);
  return {
    principal: { ...known.principal, sourceIp: request.sourceIp },
    signatureAgeMilliseconds: Math.max(0, now().getTime() - signingDate.getTime()),
    payloadHash: 'UNSIGNED-PAYLOAD',
  };
}

/** Reads the parameters of the signature. Each parameter must occur exactly once. */
function readParameters(request: ReceivedRequest, region: string) {
  const valuesOf = (name: string) =>
    request.query.filter((parameter) => parameter.name === name).map(({ value }) => value);
  const read = (name: (typeof presignedParameters)[number]) => {
    const [value = '', ...others] = valuesOf(name);
    if (value === '' || others.length > 0) {
      throw parameterError(
        'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, ' +
          'X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
      );
    }
    return value;
  };
  if (read('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') {
    throw parameterError('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"');
  }
  const [accessKeyId = '', scopeDate = '', ...scope] = read('X-Amz-Credential').split('/');
  if (scope.length !== 3) {
    throw parameterError(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; ' +
        'expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    );
  }
  if (scope.join('/') !== `${region}/s3/aws4_request`) {
    throw parameterError(
      'Error parsing the X-Amz-Credential parameter; ' +
        `expecting "<YOUR-AKID>/YYYYMMDD/${region}/s3/aws4_request".`,
    );
  }
  const date = read('X-Amz-Date');
  const signingDate = parseAmzDate(date);
  if (signingDate === undefined || date.slice(0, 8) !== scopeDate) {
    throw parameterError(
      "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\", and of the date in X-Amz-Credential",
    );
  }
  const expires = read('X-Amz-Expires');
  if (!/^\d+$/.test(expires) || Number(expires) > maxExpirySeconds) {
    throw parameterError(`X-Amz-Expires must be a number of seconds from 0 to ${maxExpirySeconds}`);
  }
  const [token, ...otherTokens] = valuesOf('X-Amz-Security-Token');
  if (otherTokens.length > 0) {
    throw parameterError('X-Amz-Security-Token is repeated.');
  }
  const signedHeaders = read('X-Amz-SignedHeaders').split(';');
  const signature = read('X-Amz-Signature');
  const claimed = { accessKeyId, scopeDate, region, service: 's3', signedHeaders, signature };
  return { claimed, signingDate, expires, token };
}

function requireInTime(signingDate: Date, expires: number, now: Date): void {
  const expiry = new Date(signingDate.getTime() + expires * 1000);
  const details = {
    'X-Amz-Expires': String(expires),
    Expires: isoSeconds(expiry),
    ServerTime: isoSeconds(now),
  };
  if (now > expiry) {
    throw new AwsError(403, 'AccessDenied', 'Request has expired', details);
  }
  if (signingDate.getTime() - now.getTime() > maxClockSkewMilliseconds) {
    throw new AwsError(403, 'AccessDenied', 'Request is not yet valid', details);
  }
}

/** @throws {AwsError} when the access key does not exist, or its token is invalid or has expired */
function requireKnown(
  lookup: CredentialLookup,
  accessKeyId: string,
): Extract<CredentialLookup, { outcome: 'known' }> {
  switch (lookup.outcome) {
    case 'known':
      return lookup;
    case 'expired-token':
      throw new AwsError(400, 'ExpiredToken', 'The provided token has expired.');
    case 'invalid-token':
      throw new AwsError(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
    case 'unknown-access-key': {
      const text = 'The AWS Access Key Id you provided does not exist in our records.';
      throw new AwsError(403, 'InvalidAccessKeyId', text, { AWSAccessKeyId: accessKeyId });
    }
  }
}

/**
 * S3 rejects an `x-amz-*` header that the signature does not cover, and requires a signed host. In a request
 * that is signed in the query, S3 ignores an unsigned `x-amz-content-sha256`, as a recording of AWS in
 * LocalStack's project shows.
 */
function requireSignedHeaders(request: ReceivedRequest, claimed: ClaimedSignature): void {
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || (name.startsWith('x-amz-') && name !== 'x-amz-content-sha256'),
  );
  const unsigned = mustBeSigned.filter((name) => !claimed.signedHeaders.includes(name));
  if (unsigned.length > 0) {
    const text = 'There were headers present in the request which were not signed';
    throw new AwsError(403, 'AccessDenied', text, { HeadersNotSigned: unsigned.join(', ') });
  }
}

/**
 * Rejects a URL for one specific body, which the emulator does not support. S3 accepts the body's digest in a
 * signed header. Digests in the query are part of the signed query, and S3 still signs `UNSIGNED-PAYLOAD`
 * (https://github.com/aws/aws-sdk-go/pull/1976).
 */
function requireUnsignedBody({ query, headers }: ReceivedRequest, { signedHeaders }: ClaimedSignature): void {
  const name = 'x-amz-content-sha256';
  const inQuery = query.find((parameter) => parameter.name.toLowerCase() === name)?.value;
  const inHeader = signedHeaders.includes(name) ? headers[name] : undefined;
  if ([inQuery, inHeader].some((hash) => (hash ?? 'UNSIGNED-PAYLOAD') !== 'UNSIGNED-PAYLOAD')) {
    throw notImplemented(name);
  }
}

/**
 * S3's own error document also shows the text that S3 would have signed. The emulator omits that text: it
 * contains the caller's session token, and people paste responses into reports.
 */
function signatureMismatch(claimed: ClaimedSignature): AwsError {
  const text =
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
  return new AwsError(403, 'SignatureDoesNotMatch', text, { AWSAccessKeyId: claimed.accessKeyId });
}

function parameterError(text: string): AwsError {
  return new AwsError(400, 'AuthorizationQueryParametersError', text);
}
