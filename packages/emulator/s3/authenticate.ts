import type { Authentication } from '../authentication/authenticate.ts';
import {
  largestClockSkewMilliseconds,
  parseAmzDate,
  parseAuthorization,
  verifyHeaderSignature,
} from '../authentication/signature.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { accessDenied, invalidArgument } from './errors.ts';
import { authenticatePresigned, isPresigned } from './presigned.ts';
import {
  isoSeconds,
  requireKnown,
  requireScope,
  requireSignedHeaders,
  type S3Caller,
  signatureMismatch,
} from './signature-checks.ts';

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
  if (Math.abs(age) > largestClockSkewMilliseconds) {
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
  requireSignedHeaders(request, claimed, 'header');
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
  return {
    principal: known.principal,
    authType: 'REST-HEADER',
    signatureAgeMilliseconds: Math.max(0, age),
    payloadHash,
  };
}
