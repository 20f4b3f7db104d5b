import { createHash } from 'node:crypto';
import type { Principal } from '../iam/principal.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { CredentialIssuer } from './credentials.ts';
import {
  type ClaimedSignature,
  maxClockSkewMilliseconds,
  parseAmzDate,
  verifyHeaderSignature,
} from './signature.ts';

/** Dependencies of the authentication of a request. */
export interface Authentication {
  readonly credentials: CredentialIssuer;
  readonly stack: Pick<StackIdentity, 'region'>;
  readonly now: () => Date;
}

const mismatch =
  'The request signature we calculated does not match the signature you provided. ' +
  'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

/**
 * Authenticates a request by its Authorization header (IAM User Guide, "Common errors").
 *
 * @param body signed body of the request. Undefined for S3, which itself compares the body with the signed
 * digest
 * @throws {AwsError} when the request is not authentic, or was not signed within 15 minutes
 */
export async function authenticateServiceRequest(
  request: ReceivedRequest,
  claimed: ClaimedSignature,
  body: Buffer | undefined,
  { credentials, stack, now }: Authentication,
): Promise<Principal> {
  const signingDate = requireSigningDate(request, claimed, now());
  if (claimed.region !== stack.region) {
    throw new AwsError(403, 'InvalidSignatureException', 'Credential should be scoped to a valid region.');
  }
  const known = credentials.lookUp(claimed.accessKeyId, request.headers['x-amz-security-token'], now());
  if (known.outcome === 'expired-token') {
    throw new AwsError(403, 'ExpiredTokenException', 'The security token included in the request is expired');
  }
  if (known.outcome !== 'known') {
    const text = 'The security token included in the request is invalid.';
    throw new AwsError(400, 'UnrecognizedClientException', text);
  }
  const declaredHash = request.headers['x-amz-content-sha256'];
  const bodyMatches = body === undefined || declaredHash === undefined || declaredHash === sha256(body);
  const payload = body ?? Buffer.alloc(0);
  const genuine =
    bodyMatches && (await verifyHeaderSignature(request, claimed, known.credentials, signingDate, payload));
  if (!genuine) {
    throw new AwsError(403, 'InvalidSignatureException', mismatch);
  }
  return { ...known.principal, sourceIp: request.sourceIp };
}

function requireSigningDate(request: ReceivedRequest, claimed: ClaimedSignature, now: Date): Date {
  const text = request.headers['x-amz-date'] ?? '';
  const date = parseAmzDate(text);
  if (date === undefined || !text.startsWith(claimed.scopeDate)) {
    const reason = 'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP';
    throw new AwsError(403, 'InvalidSignatureException', reason);
  }
  if (!claimed.signedHeaders.includes('host')) {
    const reason = "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.";
    throw new AwsError(403, 'InvalidSignatureException', reason);
  }
  if (Math.abs(date.getTime() - now.getTime()) > maxClockSkewMilliseconds) {
    const direction = date < now ? 'Signature expired' : 'Signature not yet current';
    throw new AwsError(403, 'InvalidSignatureException', `${direction}: ${text}`);
  }
  return date;
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
