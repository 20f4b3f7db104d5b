import type { Dimensions, RecordMetric } from '../cloudwatch/metric-store.ts';
import type { InvokeResult, Qualified } from './invoke.ts';

/** Takes the invocations of one version of a function. */
export interface FunctionMetrics {
  readonly invoked: (result: InvokeResult, durationMilliseconds: number, as?: Qualified) => void;
  readonly throttled: (as?: Qualified) => void;
  /** @param running invocations of the function at this moment, this one included */
  readonly started: (running: number) => void;
}

/**
 * The metrics that Lambda sends of each function (Lambda Developer Guide, "Types of metrics for Lambda functions"), by
 * the dimension `FunctionName`, and for all functions of the account without a dimension. Errors and throttles are
 * also sent as zero, so that their average is a rate. Invocations by an alias or a version are sent by `Resource` too, and
 * those by an alias with `ExecutedVersion`. Those of asynchronous invocation are in events/bus-metrics.ts.
 *
 * @param version number of the version, for which only qualified invocations come
 * @param now milliseconds since the epoch
 */
export function createFunctionMetrics(
  functionName: string,
  version: string,
  record: RecordMetric,
  now: () => number,
): FunctionMetrics {
  const all: readonly Dimensions[] = [{ FunctionName: functionName }, {}];
  const dimensionsOf = (as: Qualified | undefined): readonly Dimensions[] => {
    if (as === undefined) {
      return all;
    }
    const resource = { FunctionName: functionName, Resource: `${functionName}:${as.qualifier}` };
    const byVersion = as.qualifier === version ? [] : [{ ...resource, ExecutedVersion: version }];
    return [...all, resource, ...byVersion];
  };
  const send = (to: readonly Dimensions[], name: string, value: number, unit = 'Count') => {
    for (const dimensions of to) {
      record({ namespace: 'AWS/Lambda', name, dimensions, values: [value], unit, at: now() });
    }
  };
  return {
    invoked: ({ ok }, durationMilliseconds, as) => {
      const to = dimensionsOf(as);
      send(to, 'Invocations', 1);
      send(to, 'Errors', ok ? 0 : 1);
      send(to, 'Throttles', 0);
      send(to, 'Duration', durationMilliseconds, 'Milliseconds');
    },
    throttled: (as) => send(dimensionsOf(as), 'Throttles', 1),
    started: (running) => send(all, 'ConcurrentExecutions', running),
  };
}
