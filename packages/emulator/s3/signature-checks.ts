import type { CredentialLookup } from '../authentication/credentials.ts';
import type { ClaimedSignature } from '../authentication/signature.ts';
import type { Principal } from '../iam/principal.ts';
import type { QueryParameter, ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';

/** Who sent a request to S3, and how S3 knows that. */
export interface S3Caller {
  readonly principal: Principal;
  readonly authType: 'REST-HEADER' | 'REST-QUERY-STRING';
  readonly signatureAgeMilliseconds: number;
  /** Value of `x-amz-content-sha256`. For a presigned URL it is UNSIGNED-PAYLOAD by default. */
  readonly payloadHash: string;
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

/** @throws {AwsError} when there is no such access key, or its token is invalid or has expired */
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

const payloadHashHeader = 'x-amz-content-sha256';

/**
 * S3 refuses an `x-amz-*` header that the signature does not cover, and wants the host signed. Beside a signature in
 * the query it ignores an unsigned `x-amz-content-sha256` (docs/aws-facts.md, `s3-unsigned-content-sha256`).
 */
export function requireSignedHeaders(
  request: ReceivedRequest,
  claimed: ClaimedSignature,
  place: 'header' | 'query',
): void {
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) =>
      name === 'host' || (name.startsWith('x-amz-') && (place === 'header' || name !== payloadHashHeader)),
  );
  const unsigned = mustBeSigned.filter((name) => !claimed.signedHeaders.includes(name));
  if (unsigned.length === 0) {
    return;
  }
  const text = 'There were headers present in the request which were not signed';
  throw new AwsError(403, 'AccessDenied', text, { HeadersNotSigned: unsigned.join(', ') });
}

/** How the body of a presigned request is signed: as a parameter or a signed header says, and otherwise not at all. */
export function presignedPayloadHash(request: ReceivedRequest, claimed: ClaimedSignature): string {
  const inQuery = request.query.find(({ name }) => name.toLowerCase() === payloadHashHeader)?.value;
  const signed = claimed.signedHeaders.includes(payloadHashHeader);
  return (signed ? request.headers[payloadHashHeader] : inQuery) ?? 'UNSIGNED-PAYLOAD';
}

/**
 * S3's own error document also shows what S3 would have signed. That has the caller's session token in it, and people
 * paste answers into reports: it is left out here.
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
