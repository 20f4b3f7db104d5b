import type { Answer } from '../protocols/answer.ts';
import { xmlDocument } from '../protocols/xml.ts';
import { AwsError } from '../shared/errors.ts';

/** S3's error document (S3 API reference, "Error responses"). */
export function errorAnswer(error: AwsError, resource: string, requestId: string): Answer {
  const body = xmlDocument('Error', {
    Code: error.code,
    Message: error.message,
    ...error.details,
    Resource: resource,
    RequestId: requestId,
    HostId: requestId,
  });
  return { status: error.status, headers: { 'content-type': 'application/xml' }, body };
}

/** Headers of every answer of S3. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { server: 'AmazonS3', 'x-amz-request-id': requestId, 'x-amz-id-2': requestId };
}

export function accessDenied(): AwsError {
  return new AwsError(403, 'AccessDenied', 'Access Denied');
}

export function notImplemented(header: string): AwsError {
  const text = 'A header you provided implies functionality that is not implemented';
  return new AwsError(501, 'NotImplemented', text, { Header: header });
}

export function invalidArgument(text: string, name: string): AwsError {
  return new AwsError(400, 'InvalidArgument', text, { ArgumentName: name });
}
