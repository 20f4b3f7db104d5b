import type { HttpResponse } from '../server/write-response.ts';
import type { AwsError } from '../shared/errors.ts';

/**
 * Writes an error as Lambda does: the name in a header, the text in the body (Lambda API reference, "Invoke";
 * responses recorded in LocalStack's project, `lambda_/test_lambda.py`).
 */
export function restErrorResponse(error: AwsError, requestId: string): HttpResponse {
  const type = error.status < 500 ? 'User' : 'Service';
  return {
    status: error.status,
    headers: {
      'content-type': 'application/json',
      'x-amzn-errortype': error.code,
      'x-amzn-requestid': requestId,
    },
    body: JSON.stringify({ ...error.details, Type: type, Message: error.message }),
  };
}
