import { type Authentication, authenticateServiceRequest } from '../authentication/authenticate.ts';
import { parseAuthorization } from '../authentication/signature.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import type { S3Caller } from './caller.ts';
import { accessDenied, invalidArgument } from './errors.ts';
import { authenticatePresigned, isPresigned } from './presigned.ts';

/** S3's names for errors with other names in the other services. */
const errorNames: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ExpiredTokenException: [400, 'ExpiredToken'],
  InvalidSignatureException: [403, 'SignatureDoesNotMatch'],
  UnrecognizedClientException: [403, 'InvalidAccessKeyId'],
};

/**
 * Authenticates a request to S3, by its query or its Authorization header (S3 API reference, "Authenticating
 * requests"), without reading the body.
 *
 * @throws {AwsError} the error of S3
 */
export async function authenticateS3(
  request: ReceivedRequest,
  dependencies: Authentication,
): Promise<S3Caller> {
  const { authorization, 'x-amz-content-sha256': payloadHash } = request.headers;
  if (isPresigned(request)) {
    if (authorization !== undefined) {
      const text =
        'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string ' +
        'parameter or the Authorization header should be specified';
      throw invalidArgument(text, 'Authorization');
    }
    return authenticatePresigned(request, dependencies);
  }
  if (authorization === undefined) {
    throw accessDenied();
  }
  const claimed = parseAuthorization(authorization);
  if (claimed?.region !== dependencies.stack.region || payloadHash === undefined) {
    throw new AwsError(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  }
  const principal = await authenticateServiceRequest(request, claimed, undefined, dependencies).catch(
    (error) => {
      const [status, code] = errorNames[error.code] ?? [];
      throw code === undefined ? error : new AwsError(status ?? 403, code, error.message);
    },
  );
  return { principal, signatureAgeMilliseconds: 0, payloadHash };
}
