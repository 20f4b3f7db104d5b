import type { AwsError } from '../shared/errors.ts';
import type { Answer } from './answer.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

/** The services with the query protocol, and the XML namespace of their answers. */
const namespaces = {
  cloudformation: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
  sts: 'https://sts.amazonaws.com/doc/2011-06-15/',
} as const;

export type QueryServiceName = keyof typeof namespaces;

/** Whether a service, as signatures name it, has the query protocol. */
export function isQueryService(name: string | undefined): name is QueryServiceName {
  return name !== undefined && Object.hasOwn(namespaces, name);
}

/** Writes what an operation returned, in AWS's query protocol. */
export function queryAnswer(
  service: QueryServiceName,
  operation: string,
  output: Readonly<Record<string, unknown>>,
  requestId: string,
): Answer {
  const content = {
    [`${operation}Result`]: output as { readonly [name: string]: XmlContent },
    ResponseMetadata: { RequestId: requestId },
  };
  const body = xmlDocument(`${operation}Response`, content, namespaces[service]);
  return { status: 200, headers: headersOf(requestId), body };
}

/** Writes an error of a service with the query protocol. */
export function queryErrorAnswer(service: QueryServiceName, error: AwsError, requestId: string): Answer {
  const type = error.status < 500 ? 'Sender' : 'Receiver';
  const content = { Error: { Type: type, Code: error.code, Message: error.message }, RequestId: requestId };
  return {
    status: error.status,
    headers: headersOf(requestId),
    body: xmlDocument('ErrorResponse', content, namespaces[service]),
  };
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'text/xml', 'x-amzn-requestid': requestId };
}
