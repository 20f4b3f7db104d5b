import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../protocols/answer.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import { type FaultyService, garbage } from './faults.ts';
import type { FoundFault } from './find-fault.ts';

const slowMilliseconds = 5_000;

/** Begins an answer and does not go on, for longer than anybody waits. */
export function stall({ response }: ReceivedRequest): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"');
  const timer = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(timer));
}

const stalledMilliseconds = 30_000;

/** Waits as a slow service does. The end of the process does not wait for it. */
export async function delayAnswer(): Promise<void> {
  await delay(slowMilliseconds, undefined, { ref: false });
}

const throttled: Readonly<Record<FaultyService, AwsError>> = {
  dynamodb: new AwsError(400, 'ProvisionedThroughputExceededException', 'Throughput exceeds the limit.'),
  secretsmanager: new AwsError(400, 'ThrottlingException', 'Rate exceeded'),
  sts: new AwsError(400, 'Throttling', 'Rate exceeded'),
  s3: new AwsError(503, 'SlowDown', 'Please reduce your request rate.'),
  sqs: new AwsError(400, 'RequestThrottled', 'The request was denied due to request throttling.'),
};

const failed: Readonly<Record<FaultyService, AwsError>> = {
  dynamodb: new AwsError(500, 'InternalServerError', 'Internal server error'),
  secretsmanager: new AwsError(500, 'InternalServiceError', 'An error occurred on the server side.'),
  sts: new AwsError(500, 'InternalFailure', 'The request processing has failed.'),
  s3: new AwsError(500, 'InternalError', 'We encountered an internal error. Please try again.'),
  sqs: new AwsError(500, 'InternalFailure', 'The request processing has failed.'),
};

/**
 * The answer of a service that does not carry a call out; undefined when the service carries it out.
 *
 * @param formatError writes an error in the protocol of the service
 */
export function faultyAnswer(
  { service, fault }: FoundFault,
  request: ReceivedRequest,
  formatError: (error: AwsError) => Answer,
): Answer | undefined {
  switch (fault) {
    case 'slow':
    case 'stalled':
      return undefined;
    case 'throttling':
      return formatError(throttled[service]);
    case 'failing':
      return formatError(failed[service]);
    case 'garbage': {
      const { headers = {} } = formatError(failed[service]);
      const hasBody = request.method !== 'PUT' && request.method !== 'HEAD';
      const status = service === 's3' && !hasBody ? 500 : 200;
      return { status, headers, body: `\u0000${garbage}"<` };
    }
  }
}
