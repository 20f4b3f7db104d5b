import type { Authentication } from '../authentication/authenticate.ts';
import type { CredentialLookup } from '../authentication/credentials.ts';
import {
  type ClaimedSignature,
  largestClockSkew,
  parseAmzDate,
  parseAuthorization,
  verifyHeaderSignature,
} from '../authentication/signature.ts';
import type { Principal } from '../iam/principal.ts';
import type { QueryParameter, ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { accessDenied, invalidArgument } from './errors.ts';
import { authenticatePresigned, isPresigned } from './presigned.ts';

/** Who sent a request to S3, and how that is known. */
export interface S3Caller {
  readonly principal: Principal;
  readonly authType: 'REST-HEADER' | 'REST-QUERY-STRING';
  /** Age of the signature, in milliseconds. */
  readonly signatureAge: number;
  /** `x-amz-content-sha256`, or what stands for it in a presigned URL. */
  readonly payloadHash: string;
}

/**
 * Authenticates a request to S3, by its Authorization header or its query (S3 API reference, "Authenticating
 * requests"), without reading the body.
 *
 * @throws {AwsError} as S3 answers
 */
export async function authenticateS3(request: ReceivedRequest, parts: Authentication): Promise<S3Caller> {
  const authorization = request.headers.authorization;
  if (!isPresigned(request)) {
    if (authorization === undefined) {
      throw accessDenied();
    }
    return authenticateByHeader(request, authorization, parts);
  }
  if (authorization !== undefined) {
    throw invalidArgument(
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string ' +
        'parameter or the Authorization header should be specified',
      'Authorization',
    );
  }
  return authenticatePresigned(request, parts);
}

async function authenticateByHeader(
  request: ReceivedRequest,
  authorization: string,
  { credentials, region, now }: Authentication,
): Promise<S3Caller> {
  const claimed = parseAuthorization(authorization);
  if (claimed === undefined) {
    throw new AwsError(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  }
  requireScope(claimed, region, 'AuthorizationHeaderMalformed', 'The authorization header is malformed');
  const signingDate = parseAmzDate(request.headers['x-amz-date'] ?? '');
  if (signingDate === undefined) {
    throw new AwsError(403, 'AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
  }
  const age = now().getTime() - signingDate.getTime();
  if (Math.abs(age) > largestClockSkew) {
    const text = 'The difference between the request time and the current time is too large.';
    throw new AwsError(403, 'RequestTimeTooSkewed', text, { ServerTime: isoSeconds(now()) });
  }
  const payloadHash = request.headers['x-amz-content-sha256'];
  if (payloadHash === undefined) {
    const text = 'Missing required header for this request: x-amz-content-sha256';
    throw new AwsError(400, 'InvalidRequest', text);
  }
  const token = request.headers['x-amz-security-token'];
  const known = requireKnown(credentials.lookUp(claimed.accessKeyId, token, now()), claimed.accessKeyId);
  requireSignedHeaders(request, claimed);
  const genuine = await verifyHeaderSignature(
    request,
    claimed,
    known.credentials,
    signingDate,
    Buffer.alloc(0),
  );
  if (!genuine) {
    throw signatureMismatch(claimed);
  }
  return { principal: known.principal, authType: 'REST-HEADER', signatureAge: Math.max(0, age), payloadHash };
}

/** @throws {AwsError} when the credential is for another region or service */
export function requireScope(claimed: ClaimedSignature, region: string, code: string, prefix: string): void {
  if (claimed.region !== region) {
    const text = `${prefix}; the region '${claimed.region}' is wrong; expecting '${region}'`;
    throw new AwsError(400, code, text, { Region: region });
  }
  if (claimed.service !== 's3') {
    throw new AwsError(
      400,
      code,
      `${prefix}; incorrect service "${claimed.service}". This endpoint belongs to "s3".`,
    );
  }
}

/** @throws {AwsError} when there is no such access key, or its token is not good */
export function requireKnown(
  lookup: CredentialLookup,
  accessKeyId: string,
): Extract<CredentialLookup, { outcome: 'known' }> {
  if (lookup.outcome === 'known') {
    return lookup;
  }
  if (lookup.outcome === 'expired-token') {
    throw new AwsError(400, 'ExpiredToken', 'The provided token has expired.');
  }
  if (lookup.outcome === 'invalid-token') {
    throw new AwsError(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
  }
  const text = 'The AWS Access Key Id you provided does not exist in our records.';
  throw new AwsError(403, 'InvalidAccessKeyId', text, { AWSAccessKeyId: accessKeyId });
}

/** S3 takes no `x-amz-*` header that its signature does not cover, and wants the host signed. */
export function requireSignedHeaders(request: ReceivedRequest, claimed: ClaimedSignature): void {
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  const unsigned = mustBeSigned.filter((name) => !claimed.signedHeaders.includes(name));
  if (unsigned.length === 0) {
    return;
  }
  const text = 'There were headers present in the request which were not signed';
  throw new AwsError(403, 'AccessDenied', text, { HeadersNotSigned: unsigned.join(', ') });
}

/**
 * S3's own document also shows what it would have signed. That holds the caller's session token, and answers are
 * what people paste into reports, so it is left out here.
 */
export function signatureMismatch(claimed: ClaimedSignature): AwsError {
  const text =
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
  return new AwsError(403, 'SignatureDoesNotMatch', text, { AWSAccessKeyId: claimed.accessKeyId });
}

/** Time as S3 writes it in errors: whole seconds. */
export function isoSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** An option that S3 takes as a header, or as a query parameter of a presigned URL. */
export function requestOption(request: ReceivedRequest, name: string): string | undefined {
  const matches = (parameter: QueryParameter) => parameter.name.toLowerCase() === name;
  return request.headers[name] ?? request.query.find(matches)?.value;
}
