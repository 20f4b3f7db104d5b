import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ServiceMetrics } from '../cloudwatch/service-metrics.ts';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { functionArn } from '../lambda/resource-types.ts';
import type { Surroundings } from '../registry/aws-service.ts';
import { diskReason } from '../shared/disk-trouble.ts';
import type { Queue } from '../sqs/queues.ts';
import type { KeepDeadLetter, Undelivered } from './dead-letters.ts';
import { type BusEvent, defaultBus, type Outbox, type SentEvent } from './outbox.ts';
import { matchesEventPattern } from './pattern.ts';
import {
  type EventTarget,
  type FunctionTarget,
  nameOfTarget,
  type PatternTarget,
  queueName,
  type RetryPolicy,
} from './targets.ts';

/** Deliveries that run at the same time. Lambda would run many more, but one machine runs the functions here. */
const mostDeliveries = 8;

export interface EventBus {
  /** Delivers an event that the outbox holds, in the background. */
  readonly publish: (sent: SentEvent) => void;
  /**
   * Delivers an event to one target, and does not wait for other deliveries. Resolves when the target has taken it, or it
   * was given up.
   */
  readonly deliverTo: (target: EventTarget, event: BusEvent) => Promise<void>;
  /** Delivers the events that an earlier process did not deliver, and all new ones. */
  readonly start: () => void;
  /** Resolves when every event was taken by its targets, or given up. */
  readonly settled: () => Promise<void>;
  /** Stops delivering. What is not delivered stays in the outbox. */
  readonly stop: () => Promise<void>;
}

/** How deliveries are disturbed, to show that the functions can bear it. */
export interface EventChaos {
  /** Each delivery waits a random time up to this, which also shuffles them. */
  readonly maximumDelayMilliseconds: number;
  /** Share of the deliveries that come twice, from 0 to 1. */
  readonly doubled: number;
  /** Share of the deliveries that never come, from 0 to 1. Absent: none. */
  readonly dropped?: number;
}

export interface EventBackoff {
  /** Wait before the first retry. It doubles with each retry. */
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
}

export interface BusParts extends Surroundings {
  readonly targets: readonly PatternTarget[];
  readonly outbox: Outbox;
  readonly keepDeadLetter: KeepDeadLetter;
  readonly queues: ReadonlyMap<string, Pick<Queue, 'send'>>;
  readonly invoke: InvokeFunction;
  readonly chaos: EventChaos | undefined;
  readonly random: () => number;
  readonly backoff: EventBackoff;
  readonly metrics: Pick<ServiceMetrics, 'deadLetterFailed' | 'notDelivered'>;
}

/** EventBridge and the asynchronous invocation behind it: each event at least once, in no order. */
export function createEventBus(parts: BusParts): EventBus {
  const stopping = new AbortController();
  // Each event that waits listens to it, and any number of events may wait.
  setMaxListeners(0, stopping.signal);
  const limit = pLimit(mostDeliveries);
  const active = new Set<Promise<void>>();
  const early: SentEvent[] = [];
  let started = false;

  const track = async (event: BusEvent, delivering: Promise<void>): Promise<void> => {
    const delivery = delivering.catch((error) => {
      if (!stopping.signal.aborted) {
        const message = 'event delivery failed';
        parts.log({ level: 'error', message, event_id: event.id, error: String(error) });
      }
    });
    active.add(delivery);
    await delivery;
    active.delete(delivery);
  };
  const publish = (sent: SentEvent): void => {
    void track(sent.event, deliverToAll(sent, parts, limit, stopping.signal));
  };
  return {
    deliverTo: (target, event) =>
      track(
        event,
        deliver(event, target, parts, (act) => act(), stopping.signal),
      ),
    publish: (sent) => {
      if (started) {
        publish(sent);
      } else {
        early.push(sent);
      }
    },
    start: () => {
      started = true;
      for (const sent of [...parts.outbox.leftOver, ...early.splice(0)]) {
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
  parts: BusParts,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const targets = parts.targets.filter(
    (target) => target.bus === bus && matchesEventPattern(target.pattern, event),
  );
  const { chaos, random } = parts;
  const deliveries = targets.flatMap((target) =>
    Array.from({ length: copiesOf(parts) }, async () => {
      if (chaos !== undefined) {
        await delay(random() * chaos.maximumDelayMilliseconds, undefined, { signal });
      }
      await deliver(event, target, parts, limit, signal);
    }),
  );
  await Promise.all(deliveries);
  await parts.outbox.remove(event);
}

/** How often an event comes to a target. */
function copiesOf({ chaos, random }: BusParts): number {
  if (chaos === undefined) {
    return 1;
  }
  if (random() < (chaos.dropped ?? 0)) {
    return 0;
  }
  return random() < chaos.doubled ? 2 : 1;
}

type Attempt = { readonly outcome: 'done' } | Undelivered;

/** Makes an attempt when there is a place for it. */
type Limit = (act: () => Promise<Attempt>) => Promise<Attempt>;

/** Delivers until the target has taken the event, or the retries are used up and it becomes a dead letter. */
async function deliver(
  event: BusEvent,
  target: EventTarget,
  parts: BusParts,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const failures = { 'function-failed': 0, unreachable: 0, forbidden: 0 };
  for (;;) {
    signal.throwIfAborted();
    const attempt = await limit(() => deliverOnce(event, target, parts));
    if (attempt.outcome === 'done') {
      return;
    }
    signal.throwIfAborted();
    failures[attempt.outcome] += 1;
    const count = failures[attempt.outcome];
    const exhausted = isExhausted(retryPolicyOf(attempt, target), count, event, parts.now());
    if (exhausted && (await gaveUp(event, target, attempt, count - 1, parts))) {
      return;
    }
    await delay(waitBeforeRetry(count, parts), undefined, { signal });
  }
}

/** EventBridge's policy for events that do not get to Lambda, and Lambda's for those that do. */
function retryPolicyOf({ outcome }: Undelivered, target: EventTarget): RetryPolicy {
  if (outcome === 'forbidden') {
    return { ...target.delivery, retries: 0 };
  }
  return outcome === 'unreachable' || target.kind === 'queue' ? target.delivery : target.invocation;
}

async function deliverOnce(event: BusEvent, target: EventTarget, parts: BusParts): Promise<Attempt> {
  if (!mayDeliver(target, parts)) {
    return { outcome: 'forbidden', error: 'NO_PERMISSIONS' };
  }
  return target.kind === 'function'
    ? invokeOnce(event, target, parts)
    : sendOnce(event, target.queueArn, parts);
}

async function sendOnce(event: BusEvent, queueArn: string, { queues }: BusParts): Promise<Attempt> {
  const queue = queues.get(queueName(queueArn));
  if (queue === undefined) {
    return { outcome: 'unreachable', error: `there is no queue ${queueArn}` };
  }
  try {
    await queue.send(JSON.stringify(event), {});
    return { outcome: 'done' };
  } catch (error) {
    return { outcome: 'unreachable', error: String(error) };
  }
}

async function invokeOnce(event: BusEvent, target: FunctionTarget, parts: BusParts): Promise<Attempt> {
  try {
    const result = await parts.invoke(target.functionName, event);
    if (result.ok) {
      return { outcome: 'done' };
    }
    const { errorType, errorMessage } = result.error;
    return { outcome: 'function-failed', error: `${errorType}: ${errorMessage}`, errorMessage };
  } catch (error) {
    return { outcome: 'unreachable', error: String(error) };
  }
}

/** EventBridge User Guide, "Using resource-based policies for Amazon EventBridge": Lambda and Amazon SQS permissions. */
function mayDeliver(target: EventTarget, { authorize, stack }: BusParts): boolean {
  const principal = { kind: 'service', service: 'events.amazonaws.com', sourceArn: target.ruleArn } as const;
  const access =
    target.kind === 'function'
      ? { action: 'lambda:InvokeFunction', resource: functionArn(target.functionName, stack) }
      : { action: 'sqs:SendMessage', resource: target.queueArn };
  return authorize({ principal, ...access }).allowed;
}

function isExhausted(policy: RetryPolicy, failures: number, event: BusEvent, now: Date): boolean {
  const ageSeconds = (now.getTime() - Date.parse(event.time)) / 1000;
  return failures > policy.retries || ageSeconds > policy.maximumAgeSeconds;
}

/** @returns false when the disk is too full for a dead letter. The event is then delivered again, later */
async function gaveUp(...parameters: Parameters<typeof giveUp>): Promise<boolean> {
  const { disk } = parameters[4];
  try {
    await giveUp(...parameters);
    return true;
  } catch (error) {
    if (diskReason(error) === undefined) {
      throw error;
    }
    disk.noteFailure(error);
    return false;
  }
}

async function giveUp(
  event: BusEvent,
  target: EventTarget,
  attempt: Undelivered,
  retries: number,
  { keepDeadLetter, log, metrics }: BusParts,
): Promise<void> {
  const kept = await keepDeadLetter(event, target, attempt, retries);
  recordLoss(target, attempt, kept, metrics);
  const message = kept ? 'event moved to the dead-letter queue' : 'event dropped';
  const name = nameOfTarget(target);
  log({ level: 'error', message, event_id: event.id, [target.kind]: name, error: attempt.error, retries });
}

/** What EventBridge could not deliver counts for the rule. A function's own dead letter counts only if it is lost too. */
function recordLoss(
  target: EventTarget,
  { outcome }: Undelivered,
  kept: boolean,
  metrics: BusParts['metrics'],
): void {
  const { ruleArn, bus } = target;
  if (target.kind === 'queue' || outcome === 'forbidden' || outcome === 'unreachable') {
    const RuleName = ruleArn.slice(ruleArn.lastIndexOf('/') + 1);
    metrics.notDelivered(bus === defaultBus ? { RuleName } : { EventBusName: bus, RuleName }, kept);
  } else if (!kept && target.invocation.deadLetterQueueArn !== undefined) {
    metrics.deadLetterFailed(target.functionName);
  }
}

/** Doubles up to a bound. A random part of it keeps retries from coming in step. */
function waitBeforeRetry(failures: number, { backoff, random }: BusParts): number {
  const { firstMilliseconds, longestMilliseconds } = backoff;
  return Math.min(longestMilliseconds, firstMilliseconds * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
