import type { Answer } from '../server/write-answer.ts';
import type { AwsError } from '../shared/errors.ts';

/** The services with AWS's JSON protocol, by the prefix of X-Amz-Target. */
const targets = {
  DynamoDB_20120810: { service: 'dynamodb', namespace: 'com.amazonaws.dynamodb.v20120810', version: '1.0' },
  secretsmanager: { service: 'secretsmanager', namespace: '', version: '1.1' },
  GraniteServiceVersion20100801: {
    service: 'monitoring',
    namespace: 'com.amazonaws.cloudwatch.v2010_08_01',
    version: '1.0',
  },
  Logs_20140328: { service: 'logs', namespace: '', version: '1.1' },
  AWSEvents: { service: 'events', namespace: '', version: '1.1' },
  AmazonSQS: { service: 'sqs', namespace: 'com.amazonaws.sqs', version: '1.0' },
} as const;

export type JsonServiceName = (typeof targets)[keyof typeof targets]['service'];

/** Which operation of which service a request is for. */
export interface JsonTarget {
  readonly service: JsonServiceName;
  readonly operation: string;
  readonly namespace: string;
  /** Version of the protocol: part of the content type. */
  readonly version: string;
}

/** Reads X-Amz-Target; undefined when it names no service of the emulator. */
export function parseTarget(header: string | undefined): JsonTarget | undefined {
  const [prefix = '', operation = ''] = (header ?? '').split('.');
  if (!isPrefix(prefix)) {
    return undefined;
  }
  return { ...targets[prefix], operation };
}

function isPrefix(text: string): text is keyof typeof targets {
  return Object.hasOwn(targets, text);
}

/** Writes what an operation returned. */
export function jsonAnswer(target: JsonTarget, output: unknown, requestId: string): Answer {
  return { status: 200, headers: headersOf(target.version, requestId), body: JSON.stringify(output) };
}

/** Writes an error as the JSON protocols do: its name in `__type`. */
export function jsonErrorAnswer(target: JsonTarget | undefined, error: AwsError, requestId: string): Answer {
  const namespace = target?.namespace ?? '';
  const body = JSON.stringify({
    __type: namespace === '' ? error.code : `${namespace}#${error.code}`,
    message: error.message,
    Message: error.message,
  });
  return { status: error.status, headers: headersOf(target?.version ?? '1.0', requestId), body };
}

function headersOf(version: string, requestId: string): Record<string, string> {
  return { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': requestId };
}
