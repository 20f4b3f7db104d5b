import type { RecordMetric } from './metric-store.ts';

/** A completed request to an API. */
interface HandledRequest {
  readonly apiId: string;
  readonly status: number;
  /** Milliseconds. */
  readonly responseLatency: number;
  readonly time: Date;
}

interface CountedQueue {
  readonly counts: () => { readonly visible: number };
}

/**
 * Records the AWS service metrics that alarms and dashboards may use. The services in AWS send many more.
 *
 * @param now milliseconds since the epoch
 */
export function createServiceMetrics(record: RecordMetric, now: () => number) {
  const count = (namespace: string, name: string, dimension: Record<string, string>, value = 1) =>
    record({ namespace, name, dimensions: dimension, values: [value], at: now() });
  return {
    /** Records a metric from another source, such as a log line. */
    record,
    /** API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs". `4xx` and `5xx` are 0 or 1. */
    request: ({ apiId: ApiId, status, responseLatency, time }: HandledRequest): void => {
      const common = { namespace: 'AWS/ApiGateway', dimensions: { ApiId }, at: time.getTime() };
      const add = (name: string, value: number) => record({ ...common, name, values: [value] });
      add('Count', 1);
      add('4xx', Number(status >= 400 && status < 500));
      add('5xx', Number(status >= 500));
      add('Latency', responseLatency);
    },
    /** Lambda Developer Guide, "Types of metrics for Lambda functions". An invocation without an error counts as 0. */
    invoked: (FunctionName: string, ok: boolean): void => {
      count('AWS/Lambda', 'Invocations', { FunctionName });
      count('AWS/Lambda', 'Errors', { FunctionName }, ok ? 0 : 1);
    },
    deadLetterFailed: (FunctionName: string): void =>
      count('AWS/Lambda', 'DeadLetterErrors', { FunctionName }),
    /**
     * EventBridge User Guide, "Monitoring Amazon EventBridge". @param toQueue true if a queue received the
     * dead letter
     */
    notDelivered: (dimensions: Record<string, string>, toQueue: boolean): void =>
      count('AWS/Events', toQueue ? 'InvocationsSentToDlq' : 'FailedInvocations', dimensions),
    /** SQS Developer Guide, "Available CloudWatch metrics for Amazon SQS". */
    queues: (queues: ReadonlyMap<string, CountedQueue>): void => {
      for (const [QueueName, queue] of queues) {
        count('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, queue.counts().visible);
      }
    },
  };
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;
