import type { HttpResponse } from '../server/write-response.ts';
import type { AwsError } from '../shared/errors.ts';
import type { Output, QueryEndpoint } from './service.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

/** The query protocol's names for errors with longer names in the JSON protocol (STS, "Common errors"). */
const queryErrors: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ExpiredTokenException: [403, 'ExpiredToken'],
  IncompleteSignatureException: [400, 'IncompleteSignature'],
  InvalidSignatureException: [403, 'SignatureDoesNotMatch'],
  MissingAuthenticationTokenException: [403, 'MissingAuthenticationToken'],

  UnrecognizedClientException: [403, 'InvalidClientTokenId'],
};

/** Writes the output of an operation in AWS's query protocol. */
export function queryResponse(
  { namespace }: QueryEndpoint,
  operation: string,
  output: Output,
  requestId: string,
): HttpResponse {
  const content = {
    [`${operation}Result`]: output as { readonly [name: string]: XmlContent },
    ResponseMetadata: { RequestId: requestId },
  };
  const body = xmlDocument(`${operation}Response`, content, namespace);
  return { status: 200, headers: headersOf(requestId), body };
}

/** Writes an error of a query service: XML, in the service's namespace. */
export function queryErrorResponse(
  { namespace }: QueryEndpoint,
  error: AwsError,
  requestId: string,
): HttpResponse {
  const [status, code] = queryErrors[error.code] ?? [error.status, error.code];
  const type = status < 500 ? 'Sender' : 'Receiver';
  const content = { Error: { Type: type, Code: code, Message: error.message }, RequestId: requestId };
  return {
    status,
    headers: headersOf(requestId),
    body: xmlDocument('ErrorResponse', content, namespace),
  };
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'text/xml', 'x-amzn-requestid': requestId };
}
