import type { AwsError } from '../shared/errors.ts';
import type { Answer } from './answer.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

/** Writes what an operation of STS returned, in AWS's query protocol. */
export function queryAnswer(
  operation: string,
  output: Readonly<Record<string, unknown>>,
  requestId: string,
): Answer {
  const content = {
    [`${operation}Result`]: output as { readonly [name: string]: XmlContent },
    ResponseMetadata: { RequestId: requestId },
  };
  const body = xmlDocument(`${operation}Response`, content, namespace);
  return { status: 200, headers: headersOf(requestId), body };
}

/** Writes an error of STS. */
export function queryErrorAnswer(error: AwsError, requestId: string): Answer {
  const type = error.status < 500 ? 'Sender' : 'Receiver';
  const content = { Error: { Type: type, Code: error.code, Message: error.message }, RequestId: requestId };
  return {
    status: error.status,
    headers: headersOf(requestId),
    body: xmlDocument('ErrorResponse', content, namespace),
  };
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'text/xml', 'x-amzn-requestid': requestId };
}
