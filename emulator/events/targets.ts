import { eventInvokeConfigType, functionType } from '../lambda/resource-types.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { type EventPattern, parseEventPattern } from './pattern.ts';
import { ruleType } from './resource-types.ts';

/** A function that a rule sends events to, and what happens to an event that it cannot take. */
export interface EventTarget {
  readonly ruleArn: string;
  readonly pattern: EventPattern;
  readonly functionName: string;
  /** The rule's policy, for events that do not reach the function. */
  readonly delivery: RetryPolicy;
  /** The function's policy, for events that it fails on (Lambda, "Asynchronous invocation"). */
  readonly invocation: RetryPolicy & { readonly roleArn: string };
}

export interface RetryPolicy {
  readonly retries: number;
  readonly maximumAgeSeconds: number;
  readonly deadLetterQueueArn: string | undefined;
}

/** EventBridge's defaults, and Lambda's for asynchronous invocation. */
const defaults = {
  delivery: { retries: 185, maximumAgeSeconds: 86_400 },
  invocation: { retries: 2, maximumAgeSeconds: 21_600 },
};

/** The only events that the emulator makes. */
const emitted = { source: 'aws.s3', detailType: 'Object Created' };

/** Events of the deployment itself. The emulator makes none: its stack is made once, and nothing can delete it. */
const unheard = { source: 'aws.cloudformation', detailType: 'CloudFormation Stack Status Change' };

/**
 * Collects the targets of the template's rules.
 *
 * @throws {Error} naming the resource, for a rule that would never fire here or a target that is no function
 */
export function collectTargets(resources: readonly Resource[]): EventTarget[] {
  return ofType(resources, ruleType).flatMap(({ logicalId, attributes, properties }) => {
    if (properties.State === 'DISABLED' || isFor(unheard, properties.EventPattern)) {
      return [];
    }
    requireEmitted(properties.EventPattern, logicalId);
    if (properties.ScheduleExpression !== undefined) {
      throw new Error(`${logicalId}: a schedule is supported only beside ${unheard.detailType}`);
    }
    const pattern = parseEventPattern(properties.EventPattern, logicalId);
    return (properties.Targets ?? []).map((target): EventTarget => {
      const [, functionName] = /^arn:[^:]+:lambda:[^:]+:\d+:function:([^:]+)$/.exec(target.Arn) ?? [];
      if (functionName === undefined) {
        throw new Error(`${logicalId}: target ${target.Arn} is not a function`);
      }
      return {
        ruleArn: attributes.Arn ?? '',
        pattern,
        functionName,
        delivery: {
          retries: target.RetryPolicy?.MaximumRetryAttempts ?? defaults.delivery.retries,
          maximumAgeSeconds:
            target.RetryPolicy?.MaximumEventAgeInSeconds ?? defaults.delivery.maximumAgeSeconds,
          deadLetterQueueArn: target.DeadLetterConfig?.Arn,
        },
        invocation: invocationPolicy(resources, functionName, logicalId),
      };
    });
  });
}

function invocationPolicy(
  resources: readonly Resource[],
  functionName: string,
  where: string,
): EventTarget['invocation'] {
  const lambda = ofType(resources, functionType).find(({ ref }) => ref === functionName);
  if (lambda === undefined) {
    throw new Error(`${where}: the function ${functionName} is not in the template`);
  }
  const config = ofType(resources, eventInvokeConfigType).find(
    ({ properties }) => properties.FunctionName === functionName,
  );
  if (config?.properties.DestinationConfig?.OnFailure !== undefined) {
    throw new Error(
      `${config.logicalId}: destinations are not supported; use the function's DeadLetterConfig`,
    );
  }
  return {
    retries: config?.properties.MaximumRetryAttempts ?? defaults.invocation.retries,
    maximumAgeSeconds: config?.properties.MaximumEventAgeInSeconds ?? defaults.invocation.maximumAgeSeconds,
    deadLetterQueueArn: lambda.properties.DeadLetterConfig?.TargetArn,
    roleArn: lambda.properties.Role,
  };
}

/** A rule for other events would never fire, because the emulator does not make them. */
function requireEmitted(pattern: Readonly<Record<string, unknown>>, where: string): void {
  if (!isFor(emitted, pattern)) {
    throw new Error(`${where}: only rules for ${emitted.detailType} of ${emitted.source} are supported`);
  }
}

function isFor(event: typeof emitted, pattern: Readonly<Record<string, unknown>>): boolean {
  const { source, 'detail-type': detailType } = pattern;
  const isOnly = (value: unknown, only: string) =>
    Array.isArray(value) && value.length === 1 && value[0] === only;
  return isOnly(source, event.source) && isOnly(detailType, event.detailType);
}
