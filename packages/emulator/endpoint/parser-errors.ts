import { createRequestId } from '../protocols/request.ts';
import { errorResponse } from '../s3/errors.ts';
import { misdirectedText } from '../server/host.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';

/** Creates the response to a request whose Host is not a name of this server (RFC 9110 section 15.5.20). */
export function misdirectedRequest(): AwsError {
  return new AwsError(421, 'MisdirectedRequest', misdirectedText);
}

/**
 * Creates the response to bytes that are not a request. It is in S3's format because the bytes name no
 * service.
 */
export function parserErrorResponse(code: string | undefined): HttpResponse {
  const response = errorResponse(errorOfParser(code), createRequestId());
  return { ...response, headers: { date: new Date().toUTCString(), ...response.headers } };
}

/** Returns S3's error for an error code of Node's parser. */
function errorOfParser(code: string | undefined): AwsError {
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
  return new AwsError(400, 'BadRequest', 'An error occurred when parsing the HTTP request.');
}
