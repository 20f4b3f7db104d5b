import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ServiceMetrics } from '../cloudwatch/service-metrics.ts';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { functionArn } from '../lambda/resource-types.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import type { Queue } from '../sqs/queues.ts';
import { queueName } from '../sqs/resource-types.ts';
import { type DeadLetterSender, type Delivery, type DeliveryFailure, eventBridge } from './dead-letters.ts';
import { type BusEvent, defaultBus, type Outbox, type SentEvent } from './outbox.ts';
import {
  type EventTarget,
  type FunctionTarget,
  nameOfTarget,
  type PatternTarget,
  type RetryPolicy,
} from './targets.ts';

/** Maximum concurrent deliveries. Lambda would run many more; here one machine runs all functions. */
const maxDeliveries = 8;

export interface EventBus {
  /** Delivers an event of the outbox in the background. */
  readonly publish: (sent: SentEvent) => void;
  /**
   * Delivers an event to one target, without waiting for other deliveries. Resolves when the event was
   * delivered or abandoned.
   */
  readonly deliverTo: (target: EventTarget, event: BusEvent) => Promise<void>;
  /** Delivers the events that an earlier process did not deliver, and all new ones. */
  readonly start: () => void;
  /** Resolves when every event was delivered to its targets or abandoned. */
  readonly settled: () => Promise<void>;
  /** Stops deliveries. Undelivered events stay in the outbox. */
  readonly stop: () => Promise<void>;
}

/** Disturbances of deliveries, which test that functions tolerate them. */
export interface EventChaos {
  /**
   * Maximum of the random delay of each delivery, in milliseconds. The delays also change the order of
   * deliveries.
   */
  readonly maxDelayMilliseconds: number;
  /** Share of duplicate deliveries, from 0 to 1. */
  readonly doubled: number;
  /** Share of dropped deliveries, from 0 to 1. Default: none. */
  readonly dropped?: number;
}

export interface EventBackoff {
  /** Milliseconds before the first retry. The delay doubles with each retry. */
  readonly firstMilliseconds: number;
  readonly maxMilliseconds: number;
}

export interface BusDependencies extends ServiceContext {
  readonly targets: readonly PatternTarget[];
  readonly outbox: Outbox;
  readonly sendDeadLetter: DeadLetterSender;
  readonly queues: ReadonlyMap<string, Pick<Queue, 'send'>>;
  readonly invoke: InvokeFunction;
  readonly chaos: EventChaos | undefined;
  readonly random: () => number;
  readonly backoff: EventBackoff;
  readonly metrics: Pick<ServiceMetrics, 'deadLetterFailed' | 'notDelivered'>;
}

/** EventBridge, with Lambda's asynchronous invocation: delivers each event at least once, in no order. */
export function createEventBus(dependencies: BusDependencies): EventBus {
  const stopping = new AbortController();
  // Each waiting event listens to the signal, and any number of events may wait.
  setMaxListeners(0, stopping.signal);
  const limit = pLimit(maxDeliveries);
  const active = new Set<Promise<void>>();
  const early: SentEvent[] = [];
  let started = false;

  const track = async (event: BusEvent, delivering: Promise<void>): Promise<void> => {
    const delivery = delivering.catch((error) => {
      if (!stopping.signal.aborted) {
        dependencies.disk.reportFailure(error);
        dependencies.log({
          level: 'error',
          message: 'event delivery failed',
          event_id: event.id,
          error: String(error),
        });
      }
    });
    active.add(delivery);
    await delivery;
    active.delete(delivery);
  };
  const publish = (sent: SentEvent): void => {
    void track(sent.event, deliverToAll(sent, dependencies, limit, stopping.signal));
  };
  return {
    deliverTo: (target, event) => {
      return track(
        event,
        deliver({ event, target }, dependencies, (act) => act(), stopping.signal),
      );
    },
    publish: (sent) => {
      if (started) {
        publish(sent);
      } else {
        early.push(sent);
      }
    },
    start: () => {
      started = true;
      for (const sent of [...dependencies.outbox.undelivered, ...early.splice(0)]) {
        publish(sent);
      }
    },
    settled: async () => {
      while (active.size > 0) {
        await Promise.all(active);
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(active);
    },
  };
}

async function deliverToAll(
  { bus, event }: SentEvent,
  dependencies: BusDependencies,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const targets = dependencies.targets.filter((target) => target.bus === bus && target.pattern(event));
  const { chaos, random } = dependencies;
  const deliveries = targets.flatMap((target) =>
    Array.from({ length: copiesOf(dependencies) }, async () => {
      if (chaos !== undefined) {
        await delay(random() * chaos.maxDelayMilliseconds, undefined, { signal });
      }
      await deliver({ event, target }, dependencies, limit, signal);
    }),
  );
  await Promise.all(deliveries);
  await dependencies.outbox.remove(event);
}

/** Returns the number of deliveries of an event to a target. */
function copiesOf({ chaos, random }: BusDependencies): number {
  if (chaos === undefined) {
    return 1;
  }
  if (random() < (chaos.dropped ?? 0)) {
    return 0;
  }
  return random() < chaos.doubled ? 2 : 1;
}

type Attempt = { readonly outcome: 'done' } | DeliveryFailure;

/** Runs an attempt as soon as the maximum of concurrent deliveries allows. */
type Limit = (act: () => Promise<Attempt>) => Promise<Attempt>;

/** Delivers an event until the target accepts it or all retries have failed. */
async function deliver(
  delivery: Delivery,
  dependencies: BusDependencies,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const failures = { 'function-failed': 0, unreachable: 0, forbidden: 0 };
  for (;;) {
    signal.throwIfAborted();
    const attempt = await limit(() => deliverOnce(delivery, dependencies));
    if (attempt.outcome === 'done') {
      return;
    }
    signal.throwIfAborted();
    failures[attempt.outcome] += 1;
    const count = failures[attempt.outcome];
    if (isExhausted(delivery, attempt, count, dependencies.now())) {
      return abandon(delivery, attempt, count - 1, dependencies);
    }
    await delay(waitBeforeRetry(count, dependencies), undefined, { signal });
  }
}

/**
 * Lambda's retry policy applies if the function received the event and failed. Otherwise EventBridge's retry
 * policy applies.
 */
function retryPolicyOf({ outcome }: DeliveryFailure, target: EventTarget): RetryPolicy {
  if (outcome === 'forbidden') {
    return { ...target.delivery, retries: 0 };
  }
  return outcome === 'unreachable' || target.kind === 'queue' ? target.delivery : target.invocation;
}

async function deliverOnce({ event, target }: Delivery, dependencies: BusDependencies): Promise<Attempt> {
  if (!mayDeliver(target, dependencies)) {
    return { outcome: 'forbidden', error: 'NO_PERMISSIONS' };
  }
  return target.kind === 'function'
    ? invokeOnce(event, target, dependencies)
    : sendOnce(event, target.queueArn, dependencies);
}

async function sendOnce(event: BusEvent, queueArn: string, { queues }: BusDependencies): Promise<Attempt> {
  const queue = queues.get(queueName(queueArn));
  if (queue === undefined) {
    return { outcome: 'unreachable', error: `there is no queue ${queueArn}` };
  }
  try {
    await queue.send(JSON.stringify(event));
    return { outcome: 'done' };
  } catch (error) {
    return { outcome: 'unreachable', error: String(error) };
  }
}

async function invokeOnce(
  event: BusEvent,
  target: FunctionTarget,
  dependencies: BusDependencies,
): Promise<Attempt> {
  try {
    const result = await dependencies.invoke(target.functionName, event);
    if (result.ok) {
      return { outcome: 'done' };
    }
    const { errorType, errorMessage } = result.error;
    return { outcome: 'function-failed', error: `${errorType}: ${errorMessage}` };
  } catch (error) {
    return { outcome: 'unreachable', error: String(error) };
  }
}

/**
 * EventBridge User Guide, "Using resource-based policies for Amazon EventBridge": Lambda and Amazon SQS permissions.
 */
function mayDeliver(target: EventTarget, { authorize, stack }: BusDependencies): boolean {
  const access =
    target.kind === 'function'
      ? { action: 'lambda:InvokeFunction', resource: functionArn(target.functionName, stack) }
      : { action: 'sqs:SendMessage', resource: target.queueArn };
  return authorize({ principal: eventBridge(target), ...access }).allowed;
}

function isExhausted(
  { event, target }: Delivery,
  failure: DeliveryFailure,
  failures: number,
  now: Date,
): boolean {
  const { retries, maxAgeSeconds } = retryPolicyOf(failure, target);
  const ageSeconds = (now.getTime() - Date.parse(event.time)) / 1000;
  return failures > retries || ageSeconds > maxAgeSeconds;
}

async function abandon(
  delivery: Delivery,
  failure: DeliveryFailure,
  retries: number,
  { sendDeadLetter, log, metrics }: BusDependencies,
): Promise<void> {
  const { event, target } = delivery;
  const stored = await sendDeadLetter(delivery, failure);
  recordLoss(target, failure, stored, metrics);
  const message = stored ? 'event moved to the dead-letter queue' : 'event dropped';
  const to = { [target.kind]: nameOfTarget(target) };
  log({ level: 'error', message, event_id: event.id, ...to, error: failure.error, retries });
}

/**
 * Counts an event that EventBridge could not deliver, for its rule, or a dead letter that Lambda could not
 * send.
 */
function recordLoss(
  target: EventTarget,
  { outcome }: DeliveryFailure,
  stored: boolean,
  metrics: BusDependencies['metrics'],
): void {
  const { ruleArn, bus } = target;
  if (target.kind === 'queue' || outcome === 'forbidden' || outcome === 'unreachable') {
    const RuleName = ruleArn.slice(ruleArn.lastIndexOf('/') + 1);
    metrics.notDelivered(bus === defaultBus ? { RuleName } : { EventBusName: bus, RuleName }, stored);
  } else if (!stored && target.invocation.deadLetterQueueArn !== undefined) {
    metrics.deadLetterFailed(target.functionName);
  }
}

/** The delay doubles up to a maximum. A random part separates the retries of several events. */
function waitBeforeRetry(failures: number, { backoff, random }: BusDependencies): number {
  const { firstMilliseconds, maxMilliseconds } = backoff;
  return Math.min(maxMilliseconds, firstMilliseconds * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
