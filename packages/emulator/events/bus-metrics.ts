import type { RecordMetric } from '../cloudwatch/metric-store.ts';
import type { Undelivered } from './dead-letters.ts';
import { defaultBus } from './outbox.ts';
import type { EventTarget, FunctionTarget } from './targets.ts';

/** Takes what becomes of the events of rules. */
export interface BusMetrics {
  /** Lambda ran the function on an event of this age. An attempt that is throttled runs nothing. */
  readonly invoked: (target: FunctionTarget, ageMilliseconds: number) => void;
  /** EventBridge gave the event to Lambda, or to a queue. */
  readonly delivered: (target: EventTarget) => void;
  /** No retry is left. @param kept whether the event is in a dead-letter queue */
  readonly gaveUp: (target: EventTarget, failure: Undelivered, kept: boolean) => void;
}

/**
 * The metrics of EventBridge, by rule (EventBridge User Guide, "Monitoring Amazon EventBridge"). Those of a rule on another
 * bus than the default one are by bus as well. Also the metrics of asynchronous invocation, by function (Lambda Developer
 * Guide, "Types of metrics for Lambda functions").
 *
 * @param now milliseconds since the epoch
 */
export function createBusMetrics(record: RecordMetric, now: () => number): BusMetrics {
  const ofRule = ({ ruleArn, bus }: EventTarget, name: string) => {
    const dimensions = {
      ...(bus === defaultBus ? {} : { EventBusName: bus }),
      RuleName: ruleArn.slice(ruleArn.lastIndexOf('/') + 1),
    };
    record({ namespace: 'AWS/Events', name, dimensions, values: [1], unit: 'Count', at: now() });
  };
  const ofFunction = ({ functionName }: FunctionTarget, name: string, value: number, unit = 'Count') => {
    for (const dimensions of [{ FunctionName: functionName }, {}]) {
      record({ namespace: 'AWS/Lambda', name, dimensions, values: [value], unit, at: now() });
    }
  };
  return {
    invoked: (target, age) => ofFunction(target, 'AsyncEventAge', Math.max(0, age), 'Milliseconds'),
    delivered: (target) => {
      ofRule(target, 'Invocations');
      if (target.kind === 'function') {
        ofFunction(target, 'AsyncEventsReceived', 1);
      }
    },
    gaveUp: (target, { outcome }, kept) => {
      if (target.kind === 'queue' || outcome === 'forbidden' || outcome === 'unreachable') {
        ofRule(target, 'Invocations');
        ofRule(target, 'FailedInvocations');
        if (target.delivery.deadLetterQueueArn !== undefined) {
          ofRule(target, kept ? 'InvocationsSentToDlq' : 'InvocationsFailedToBeSentToDlq');
        }
        return;
      }
      // Lambda counts an event as dropped also when it sent the event to a queue first.
      ofFunction(target, 'AsyncEventsDropped', 1);
      if (!kept && target.invocation.deadLetterQueueArn !== undefined) {
        ofFunction(target, 'DeadLetterErrors', 1);
      }
    },
  };
}
