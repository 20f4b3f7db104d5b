import type { AwsError } from '../shared/errors.ts';
import type { Answer } from './answer.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

/** The services with AWS's query protocol, and the namespace of their documents. The emulator serves STS alone. */
const namespaces: Readonly<Record<string, string>> = {
  sts: 'https://sts.amazonaws.com/doc/2011-06-15/',
  iam: 'https://iam.amazonaws.com/doc/2010-05-08/',
  cloudformation: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
  sqs: 'http://queue.amazonaws.com/doc/2012-11-05/',
};

/** Whether a service answers in the query protocol. SQS does so when a request names no X-Amz-Target. */
export function isQueryService(service: string | undefined, hasTarget: boolean): service is string {
  return service !== undefined && Object.hasOwn(namespaces, service) && !hasTarget;
}

/** What the query services call errors for which the JSON services have longer names (STS, "Common errors"). */
const queryErrors: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ExpiredTokenException: [403, 'ExpiredToken'],
  IncompleteSignatureException: [400, 'IncompleteSignature'],
  InvalidSignatureException: [403, 'SignatureDoesNotMatch'],
  MissingAuthenticationTokenException: [403, 'MissingAuthenticationToken'],
  UnknownOperationException: [400, 'InvalidAction'],
  UnrecognizedClientException: [403, 'InvalidClientTokenId'],
};

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
  const body = xmlDocument(`${operation}Response`, content, namespaces.sts);
  return { status: 200, headers: headersOf(requestId), body };
}

/** Writes an error of a query service: XML, in the service's namespace. */
export function queryErrorAnswer(service: string, error: AwsError, requestId: string): Answer {
  const [status, code] = queryErrors[error.code] ?? [error.status, error.code];
  const type = status < 500 ? 'Sender' : 'Receiver';
  const content = { Error: { Type: type, Code: code, Message: error.message }, RequestId: requestId };
  const namespace = namespaces[service];
  return {
    status,
    headers: headersOf(requestId),
    body: xmlDocument('ErrorResponse', content, namespace),
  };
}

function headersOf(requestId: string): Record<string, string> {
  return { 'content-type': 'text/xml', 'x-amzn-requestid': requestId };
}
