import type * as v from 'valibot';
import { eventInvokeConfigType, functionType } from '../lambda/resource-types.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { queueName } from '../sqs/resource-types.ts';
import { busOf, defaultBus } from './outbox.ts';
import { type EventPattern, parseEventPattern } from './pattern.ts';
import { ruleType } from './resource-types.ts';

interface RuleTarget {
  readonly ruleArn: string;
  /** Name of the bus of the rule. */
  readonly bus: string;
  /** Rule's retry policy, for events that do not reach the target. */
  readonly delivery: RetryPolicy;
}

/** A function that receives the events of a rule, with Lambda's settings for failed events. */
export interface FunctionTarget extends RuleTarget {
  readonly kind: 'function';
  readonly functionName: string;
  /** Function's retry policy, for events that it fails to process (Lambda, "Asynchronous invocation"). */
  readonly invocation: RetryPolicy & { readonly roleArn: string };
}

/** A queue that receives the events of a rule. */
interface QueueTarget extends RuleTarget {
  readonly kind: 'queue';
  readonly queueArn: string;
}

export type EventTarget = FunctionTarget | QueueTarget;

/** Name of a target in the log. */
export function nameOfTarget(target: EventTarget): string {
  return target.kind === 'function' ? target.functionName : queueName(target.queueArn);
}

export interface RetryPolicy {
  readonly retries: number;
  readonly maxAgeSeconds: number;
  readonly deadLetterQueueArn: string | undefined;
}

/** EventBridge's defaults, and Lambda's for asynchronous invocation. */
const defaults = {
  delivery: { retries: 185, maxAgeSeconds: 86_400 },
  invocation: { retries: 2, maxAgeSeconds: 21_600 },
};

/** The only event that the emulator itself sends on the default bus. Other events come from PutEvents. */
const emitted = { source: 'aws.s3', detailType: 'Object Created' };

/**
 * Events of a deployment. The emulator sends no such event: it creates its stack once, and cannot delete it.
 */
const deploymentEvent = { source: 'aws.cloudformation', detailType: 'CloudFormation Stack Status Change' };

type Rule = TypedResource<typeof ruleType.properties>;

/** A target of a rule with an event pattern. */
export type PatternTarget = EventTarget & { readonly pattern: EventPattern };

/**
 * Collects the targets of the template's rules with an event pattern. Such a rule may also have a schedule;
 * schedules.ts runs schedules.
 *
 * @throws {Error} naming the resource, for a rule that would never fire here or a target of another kind
 */
export function collectTargets(resources: readonly Resource[]): PatternTarget[] {
  return ofType(resources, ruleType).flatMap((rule) => {
    const { EventPattern: rulePattern, ScheduleExpression: schedule, State: state } = rule.properties;
    if (rulePattern === undefined && schedule === undefined) {
      throw new Error(`${rule.logicalId}: a rule needs an event pattern or a schedule`);
    }
    if (rulePattern === undefined || state === 'DISABLED' || isFor(deploymentEvent, rulePattern)) {
      return [];
    }
    if (busOf(rule.properties.EventBusName) === defaultBus) {
      requireEmitted(rulePattern, rule.logicalId);
    }
    const pattern = parseEventPattern(rulePattern, rule.logicalId);
    return targetsOf(rule, resources).map((target) => ({ ...target, pattern }));
  });
}

/**
 * Returns the targets of one rule.
 *
 * @throws {Error} naming the resource, for a target that is not a function or queue
 */
export function targetsOf(
  { logicalId, attributes, properties }: Rule,
  resources: readonly Resource[],
): EventTarget[] {
  const bus = busOf(properties.EventBusName);
  return (properties.Targets ?? []).map((target): EventTarget => {
    const rule = { ruleArn: attributes.Arn ?? '', bus, delivery: deliveryPolicy(target) };
    return { ...rule, ...destinationOf(target.Arn, resources, logicalId) };
  });
}

type Target = NonNullable<v.InferOutput<typeof ruleType.properties>['Targets']>[number];

function deliveryPolicy({ RetryPolicy: policy, DeadLetterConfig }: Target): RetryPolicy {
  return {
    retries: policy?.MaximumRetryAttempts ?? defaults.delivery.retries,
    maxAgeSeconds: policy?.MaximumEventAgeInSeconds ?? defaults.delivery.maxAgeSeconds,
    deadLetterQueueArn: DeadLetterConfig?.Arn,
  };
}

function destinationOf(arn: string, resources: readonly Resource[], where: string) {
  const [, functionName] = /^arn:[^:]+:lambda:[^:]+:\d+:function:([^:]+)$/.exec(arn) ?? [];
  if (functionName !== undefined) {
    const invocation = invocationPolicy(resources, functionName, where);
    return { kind: 'function', functionName, invocation } as const;
  }
  if (/^arn:[^:]+:sqs:[^:]+:\d+:[^:]+$/.test(arn)) {
    return { kind: 'queue', queueArn: arn } as const;
  }
  throw new Error(`${where}: target ${arn} is neither a function nor a queue`);
}

function invocationPolicy(
  resources: readonly Resource[],
  functionName: string,
  where: string,
): FunctionTarget['invocation'] {
  const lambda = ofType(resources, functionType).find(({ ref }) => ref === functionName);
  if (lambda === undefined) {
    throw new Error(`${where}: the function ${functionName} is not in the template`);
  }
  const config = ofType(resources, eventInvokeConfigType).find(
    ({ properties }) => properties.FunctionName === functionName,
  );
  return {
    retries: config?.properties.MaximumRetryAttempts ?? defaults.invocation.retries,
    maxAgeSeconds: config?.properties.MaximumEventAgeInSeconds ?? defaults.invocation.maxAgeSeconds,
    deadLetterQueueArn: lambda.properties.DeadLetterConfig?.TargetArn,
    roleArn: lambda.properties.Role,
  };
}

/** A rule for other events would never fire, because the emulator does not send such events. */
function requireEmitted(pattern: Readonly<Record<string, unknown>>, where: string): void {
  if (!isFor(emitted, pattern)) {
    throw new Error(
      `${where}: only rules for ${emitted.detailType} of ${emitted.source} are supported on the default bus`,
    );
  }
}

function isFor(event: typeof emitted, pattern: Readonly<Record<string, unknown>>): boolean {
  const { source, 'detail-type': detailType } = pattern;
  const isOnly = (value: unknown, only: string) =>
    Array.isArray(value) && value.length === 1 && value[0] === only;
  return isOnly(source, event.source) && isOnly(detailType, event.detailType);
}
