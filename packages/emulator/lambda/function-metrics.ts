import type { Dimensions, RecordMetric } from '../cloudwatch/metric-store.ts';
import type { InvokeResult } from './invoke.ts';

/** Takes the invocations of a function. */
export interface FunctionMetrics {
  readonly invoked: (result: InvokeResult, durationMilliseconds: number) => void;
  readonly throttled: () => void;
  /** @param running invocations of the function at this moment, this one included */
  readonly started: (running: number) => void;
}

/**
 * The metrics that Lambda sends of each function (Lambda Developer Guide, "Types of metrics for Lambda functions"), by
 * the dimension `FunctionName`, and for all functions of the account without a dimension. Errors and throttles are
 * also sent as zero, so that their average is a rate. Those of asynchronous invocation are in events/bus-metrics.ts.
 *
 * @param now milliseconds since the epoch
 */
export function createFunctionMetrics(
  functionName: string,
  record: RecordMetric,
  now: () => number,
): FunctionMetrics {
  const all: readonly Dimensions[] = [{ FunctionName: functionName }, {}];
  const send = (name: string, value: number, unit = 'Count') => {
    for (const dimensions of all) {
      record({ namespace: 'AWS/Lambda', name, dimensions, values: [value], unit, at: now() });
    }
  };
  return {
    invoked: ({ ok }, durationMilliseconds) => {
      send('Invocations', 1);
      send('Errors', ok ? 0 : 1);
      send('Throttles', 0);
      send('Duration', durationMilliseconds, 'Milliseconds');
    },
    throttled: () => send('Throttles', 1),
    started: (running) => send('ConcurrentExecutions', running),
  };
}
