import type { Authentication } from '../authentication/authenticate.ts';
import {
  type ClaimedSignature,
  largestClockSkewMilliseconds,
  parseAmzDate,
  presignedParameters,
  verifyPresignedSignature,
} from '../authentication/signature.ts';
import { queryValue, type ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import {
  isoSeconds,
  presignedPayloadHash,
  requireKnown,
  requireScope,
  requireSignedHeaders,
  type S3Caller,
  signatureMismatch,
} from './signature-checks.ts';

/** Longest life of a presigned URL: a week. */
const longestExpirySeconds = 604_800;

/** Whether a request is to be authenticated by its query. Each of the parameters alone says so. */
export function isPresigned(request: ReceivedRequest): boolean {
  const names: ReadonlySet<string> = new Set(presignedParameters);
  return request.query.some(({ name }) => names.has(name));
}

/**
 * Authenticates a presigned URL (S3 API reference, "Authenticating requests: using query parameters"). The time
 * is checked before the signature, as in S3: a URL that is too old has expired, whatever else is wrong with it.
 */
export async function authenticatePresigned(
  request: ReceivedRequest,
  { credentials, region, now }: Authentication,
): Promise<S3Caller> {
  const claimed = requireParameters(request, region);
  const signingDate = requireDate(request, claimed);
  const expires = requireExpires(request, claimed);
  requireInTime(signingDate, expires, now());
  const token = queryValue(request, 'X-Amz-Security-Token');
  const known = requireKnown(credentials.lookUp(claimed.accessKeyId, token, now()), claimed.accessKeyId);
  requireSignedHeaders(request, claimed, 'query');
  const genuine = await verifyPresignedSignature(request, claimed, known.credentials, signingDate, expires);
  if (!genuine) {
    throw signatureMismatch(claimed);
  }
  return {
    principal: known.principal,
    authType: 'REST-QUERY-STRING',
    signatureAgeMilliseconds: Math.max(0, now().getTime() - signingDate.getTime()),
    payloadHash: presignedPayloadHash(request, claimed),
  };
}

function requireParameters(request: ReceivedRequest, region: string): ClaimedSignature {
  const isMissing = (name: string) => (queryValue(request, name) ?? '') === '';
  if (presignedParameters.some(isMissing)) {
    throw parameterError(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, ' +
        'X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    );
  }
  const repeated = request.query.some(({ name }, i) => {
    const own: readonly string[] = [...presignedParameters, 'X-Amz-Security-Token'];
    return own.includes(name) && request.query.findIndex((it) => it.name === name) !== i;
  });
  if (repeated) {
    throw parameterError('A query parameter of the signature is repeated.');
  }
  if (queryValue(request, 'X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') {
    throw parameterError('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"');
  }
  const claimed = parseCredential(request);
  requireScope(
    claimed,
    region,
    'AuthorizationQueryParametersError',
    'Error parsing the X-Amz-Credential parameter',
  );
  return claimed;
}

function parseCredential(request: ReceivedRequest): ClaimedSignature {
  const parts = (queryValue(request, 'X-Amz-Credential') ?? '').split('/');
  const [accessKeyId = '', scopeDate = '', region = '', service = '', terminator] = parts;
  if (parts.length !== 5 || terminator !== 'aws4_request' || !/^\d{8}$/.test(scopeDate)) {
    throw parameterError(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; ' +
        'expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    );
  }
  const signedHeaders = (queryValue(request, 'X-Amz-SignedHeaders') ?? '').split(';');
  const signature = queryValue(request, 'X-Amz-Signature') ?? '';
  return { accessKeyId, scopeDate, region, service, signedHeaders, signature };
}

function requireDate(request: ReceivedRequest, claimed: ClaimedSignature): Date {
  const text = queryValue(request, 'X-Amz-Date') ?? '';
  const date = parseAmzDate(text);
  if (date === undefined) {
    throw parameterError("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  }
  if (!text.startsWith(claimed.scopeDate)) {
    throw parameterError(
      `Invalid credential date "${claimed.scopeDate}". This date is not the same as X-Amz-Date: "${text.slice(0, 8)}".`,
    );
  }
  return date;
}

function requireExpires(request: ReceivedRequest, claimed: ClaimedSignature): number {
  const text = queryValue(request, 'X-Amz-Expires') ?? '';
  if (!/^-?\d+$/.test(text)) {
    throw parameterError('X-Amz-Expires should be a number');
  }
  const seconds = Number(text);
  if (seconds < 0) {
    throw parameterError('X-Amz-Expires must be non-negative');
  }
  if (seconds > longestExpirySeconds) {
    throw parameterError(
      'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
    );
  }
  // The text was signed, but the number is verified here. Another spelling of the number was not signed.
  if (text !== String(seconds)) {
    throw signatureMismatch(claimed);
  }
  return seconds;
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
  if (signingDate.getTime() - now.getTime() > largestClockSkewMilliseconds) {
    throw new AwsError(403, 'AccessDenied', 'Request is not yet valid', details);
  }
}

function parameterError(text: string): AwsError {
  return new AwsError(400, 'AuthorizationQueryParametersError', text);
}
