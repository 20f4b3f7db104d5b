import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authorize } from '../iam/authorize.ts';
import type { InvokeFunction } from '../lambda/invoke.ts';
import { arn } from '../shared/names.ts';
import type { StackIdentity } from '../shared/resource-type.ts';
import type { EventChaos } from './chaos.ts';
import type { DeadLetters } from './dead-letters.ts';
import { createLimiter } from './limiter.ts';
import type { BusEvent } from './object-created.ts';
import type { Outbox } from './outbox.ts';
import { matchesEventPattern } from './pattern.ts';
import type { EventTarget, RetryPolicy } from './targets.ts';

/** Deliveries that run at once. Lambda would take many more; one machine runs the functions here. */
const mostDeliveries = 8;

export interface EventBus {
  /** Delivers an event that the outbox holds, in the background. */
  readonly publish: (event: BusEvent) => void;
  /** Delivers what an earlier process did not, and from then on what comes. */
  readonly start: () => void;
  /** Stops delivering. What is not delivered stays in the outbox. */
  readonly stop: () => Promise<void>;
}

export interface BusParts {
  readonly targets: readonly EventTarget[];
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly invoke: InvokeFunction;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
  readonly chaos: EventChaos | undefined;
  readonly now: () => Date;
  readonly random: () => number;
  /** First wait before a retry and longest one, in milliseconds. AWS waits minutes; a developer would not. */
  readonly backoff: { readonly first: number; readonly longest: number };
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** EventBridge and the asynchronous invocation behind it: at least once, in no order. */
export function createEventBus(parts: BusParts): EventBus {
  const stopping = new AbortController();
  // Each event that waits listens to it, and there may be any number of them.
  setMaxListeners(0, stopping.signal);
  const limit = createLimiter(mostDeliveries);
  const active = new Set<Promise<void>>();
  const early: BusEvent[] = [];
  let started = false;

  const deliver = (event: BusEvent): void => {
    const delivery = deliverToAll(event, parts, limit, stopping.signal).catch((error) => {
      if (stopping.signal.aborted) return;
      parts.log({
        level: 'error',
        message: 'event delivery failed',
        event_id: event.id,
        error: String(error),
      });
    });
    active.add(delivery);
    void delivery.finally(() => active.delete(delivery));
  };
  return {
    publish: (event) => {
      if (started) deliver(event);
      else early.push(event);
    },
    start: () => {
      started = true;
      for (const event of [...parts.outbox.leftOver, ...early.splice(0)]) deliver(event);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(active);
    },
  };
}

type Limit = ReturnType<typeof createLimiter>;

async function deliverToAll(
  event: BusEvent,
  parts: BusParts,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const targets = parts.targets.filter(({ pattern }) => matchesEventPattern(pattern, event));
  const { chaos, random } = parts;
  const deliveries = targets.flatMap((target) => {
    const copies = chaos !== undefined && random() < chaos.doubled ? 2 : 1;
    return Array.from({ length: copies }, async () => {
      if (chaos !== undefined) await sleep(random() * chaos.maximumDelay, undefined, { signal });
      await deliver(event, target, parts, limit, signal);
    });
  });
  await Promise.all(deliveries);
  await parts.outbox.remove(event);
}

type Attempt =
  | { readonly outcome: 'done' }
  /** The function's concurrency is used up: Lambda tries again until the event is too old, and counts no retry. */
  | { readonly outcome: 'throttled'; readonly error: string }
  | Failure;

interface Failure {
  /** `forbidden`: EventBridge may not invoke the function, which no retry would change. */
  readonly outcome: 'function-failed' | 'unreachable' | 'forbidden';
  readonly error: string;
}

/** Invokes until the function has taken the event, or the retries are used up and it is a dead letter. */
async function deliver(
  event: BusEvent,
  target: EventTarget,
  parts: BusParts,
  limit: Limit,
  signal: AbortSignal,
): Promise<void> {
  const failures = { 'function-failed': 0, unreachable: 0, forbidden: 0, throttled: 0 };
  for (;;) {
    signal.throwIfAborted();
    const attempt = await limit(() => invokeOnce(event, target, parts));
    if (attempt.outcome === 'done') return;
    signal.throwIfAborted();
    failures[attempt.outcome] += 1;
    if (isExhausted(retryPolicyOf(attempt, target), failures[attempt.outcome], event, parts.now())) {
      await giveUp(event, target, attempt, failures[attempt.outcome] - 1, parts);
      return;
    }
    await sleep(backoff(failures[attempt.outcome], parts), undefined, { signal });
  }
}

/** EventBridge's own for events that do not get to Lambda, Lambda's for those that do. */
function retryPolicyOf({ outcome }: Attempt, { delivery, invocation }: EventTarget): RetryPolicy {
  if (outcome === 'forbidden') return { ...delivery, retries: 0 };
  if (outcome === 'throttled') return { ...invocation, retries: Number.POSITIVE_INFINITY };
  return outcome === 'unreachable' ? delivery : invocation;
}

async function invokeOnce(event: BusEvent, target: EventTarget, parts: BusParts): Promise<Attempt> {
  if (!mayInvoke(target, parts)) return { outcome: 'forbidden', error: 'NO_PERMISSIONS' };
  try {
    const result = await parts.invoke(target.functionName, event);
    if (result.ok) return { outcome: 'done' };
    const error = `${result.error.errorType}: ${result.error.errorMessage}`;
    const throttled = result.error.errorType === 'TooManyRequestsException';
    return { outcome: throttled ? 'throttled' : 'function-failed', error };
  } catch (error) {
    return { outcome: 'unreachable', error: String(error) };
  }
}

/** EventBridge User Guide, "Using resource-based policies for Amazon EventBridge": Lambda permissions. */
function mayInvoke({ functionName, ruleArn }: EventTarget, { authorize, stack }: BusParts): boolean {
  const principal = { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn } as const;
  const resource = arn(stack, 'lambda', `function:${functionName}`);
  return authorize({ principal, action: 'lambda:InvokeFunction', resource }).allowed;
}

function isExhausted(policy: RetryPolicy, failures: number, event: BusEvent, now: Date): boolean {
  const age = (now.getTime() - Date.parse(event.time)) / 1000;
  return failures > policy.retries || age > policy.maximumAge;
}

async function giveUp(
  event: BusEvent,
  target: EventTarget,
  attempt: Exclude<Attempt, { outcome: 'done' }>,
  retries: number,
  { deadLetters, log }: BusParts,
): Promise<void> {
  const kept = await deadLetters.keep(event, target, attempt, retries);
  const message = kept ? 'event moved to the dead-letter queue' : 'event dropped';
  const { functionName } = target;
  log({ level: 'error', message, event_id: event.id, function: functionName, error: attempt.error, retries });
}

/** Doubles, up to a bound, and takes a random part of it, so that retries do not come in step. */
function backoff(failures: number, { backoff: { first, longest }, random }: BusParts): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + random() / 2);
}
