import { xmlDocument } from '../protocols/xml.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';

/**
 * S3's error document (S3 API reference, "Error responses"). The document on that page also contains a
 * Resource. The AWS responses that LocalStack's project recorded contain no Resource.
 */
export function errorResponse(error: AwsError, requestId: string): HttpResponse {
  const body = xmlDocument('Error', {
    Code: error.code,
    Message: error.message,
    ...error.details,
    RequestId: requestId,
    HostId: requestId,
  });
  const common = Object.fromEntries(commonHeaders(requestId));
  return {
    status: error.status,
    headers: { ...common, ...error.headers, 'content-type': 'application/xml' },
    body,
  };
}

/** Headers of every response of S3. */
export function commonHeaders(requestId: string): Map<string, string> {
  return new Map([
    ['server', 'AmazonS3'],
    ['x-amz-request-id', requestId],
    ['x-amz-id-2', requestId],
  ]);
}

export function accessDenied(): AwsError {
  return new AwsError(403, 'AccessDenied', 'Access Denied');
}

/** @param more elements that S3 adds for some headers */
export function notImplemented(header: string, more: Readonly<Record<string, string>> = {}): AwsError {
  const text = 'A header you provided implies functionality that is not implemented';
  return new AwsError(501, 'NotImplemented', text, { Header: header, ...more });
}

/** @param value the argument as it was sent, where S3 repeats it */
export function invalidArgument(text: string, name: string, value?: string): AwsError {
  const details = { ArgumentName: name, ...(value === undefined ? {} : { ArgumentValue: value }) };
  return new AwsError(400, 'InvalidArgument', text, details);
}
