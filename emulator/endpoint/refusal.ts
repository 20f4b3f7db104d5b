import { createRequestId } from '../protocols/request.ts';
import { commonHeaders, errorAnswer } from '../s3/errors.ts';
import type { Refusal } from '../server/connections.ts';
import { AwsError } from '../shared/errors.ts';

/** What S3 says of bytes that are no request. */
export function malformedRequest(): AwsError {
  return new AwsError(400, 'BadRequest', 'An error occurred when parsing the HTTP request.');
}

/**
 * What S3 says where Node's parser fails.
 *
 * @param code of Node's error
 * @param ofBody whether it failed on the body of a request whose head it has read
 */
export function errorOfParser(code: string | undefined, ofBody: boolean): AwsError {
  if (code === 'HPE_INVALID_EOF_STATE' && ofBody) {
    return new AwsError(400, 'IncompleteBody', 'The request body terminated unexpectedly');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const text = 'Your request header section exceeds the maximum allowed size.';
    return new AwsError(400, 'RequestHeaderSectionTooLarge', text);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const text =
      'Your socket connection to the server was not read from or written to within the timeout period. ' +
      'Idle connections will be closed.';
    return new AwsError(400, 'RequestTimeout', text);
  }
  return malformedRequest();
}

/** An error for a connection that has no request to answer any more. In S3's form: nobody knows whom it was for. */
export function refusal(error: AwsError, now: Date): Refusal {
  const requestId = createRequestId();
  const { status, headers, body = '' } = errorAnswer(error, '/', requestId);
  return { status, headers: { ...commonHeaders(requestId), date: now.toUTCString(), ...headers }, body };
}
