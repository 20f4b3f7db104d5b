import type { Resource } from '../shared/resource-type.ts';
import { ofType } from '../shared/resources.ts';
import { type EventPattern, parseEventPattern } from './pattern.ts';

/** A function that a rule sends events to, and what becomes of an event that it cannot take. */
export interface EventTarget {
  readonly ruleArn: string;
  readonly pattern: EventPattern;
  readonly functionName: string;
  /** The rule's own, for events that do not reach the function. */
  readonly delivery: RetryPolicy;
  /** The function's own, for events that it fails on (Lambda, "Asynchronous invocation"). */
  readonly invocation: RetryPolicy & { readonly roleArn: string };
}

export interface RetryPolicy {
  readonly retries: number;
  /** In seconds. */
  readonly maximumAge: number;
  readonly deadLetterQueueArn: string | undefined;
}

/** EventBridge's defaults, and Lambda's for asynchronous invocation; ages in seconds. */
const defaults = {
  delivery: { retries: 185, maximumAge: 86_400 },
  invocation: { retries: 2, maximumAge: 21_600 },
};

/** Everything that the local bus can tell of. */
const emitted = { source: 'aws.s3', detailType: 'Object Created' };

/**
 * Collects the targets of the template's rules.
 *
 * @throws {Error} naming the resource, for a rule that would never fire here or a target that is no function
 */
export function collectTargets(resources: readonly Resource[]): EventTarget[] {
  return ofType(resources, 'AWS::Events::Rule').flatMap(({ logicalId, attributes, properties }) => {
    if (properties.State === 'DISABLED') return [];
    requireEmitted(properties.EventPattern, logicalId);
    const pattern = parseEventPattern(properties.EventPattern, logicalId);
    return (properties.Targets ?? []).map((target): EventTarget => {
      const [, functionName] = /^arn:[^:]+:lambda:[^:]+:\d+:function:([^:]+)$/.exec(target.Arn) ?? [];
      if (functionName === undefined) throw new Error(`${logicalId}: target ${target.Arn} is not a function`);
      return {
        ruleArn: attributes.Arn ?? '',
        pattern,
        functionName,
        delivery: {
          retries: target.RetryPolicy?.MaximumRetryAttempts ?? defaults.delivery.retries,
          maximumAge: target.RetryPolicy?.MaximumEventAgeInSeconds ?? defaults.delivery.maximumAge,
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
  const lambda = resources.find(({ type, ref }) => type === 'AWS::Lambda::Function' && ref === functionName);
  if (lambda === undefined) throw new Error(`${where}: the function ${functionName} is not in the template`);
  const config = ofType(resources, 'AWS::Lambda::EventInvokeConfig').find(
    ({ properties }) => properties.FunctionName === functionName,
  );
  if (config?.properties.DestinationConfig?.OnFailure !== undefined) {
    throw new Error(
      `${config.logicalId}: destinations are not supported; use the function's DeadLetterConfig`,
    );
  }
  return {
    retries: config?.properties.MaximumRetryAttempts ?? defaults.invocation.retries,
    maximumAge: config?.properties.MaximumEventAgeInSeconds ?? defaults.invocation.maximumAge,
    deadLetterQueueArn: textAt(lambda.properties, ['DeadLetterConfig', 'TargetArn']),
    roleArn: textAt(lambda.properties, ['Role']) ?? '',
  };
}

/** Another service's events, or others of S3, never come here: a rule for them would be silently dead. */
function requireEmitted(pattern: Readonly<Record<string, unknown>>, where: string): void {
  const { source, 'detail-type': detailType } = pattern;
  const same = (value: unknown, only: string) =>
    Array.isArray(value) && value.length === 1 && value[0] === only;
  if (same(source, emitted.source) && same(detailType, emitted.detailType)) return;
  throw new Error(`${where}: only rules for ${emitted.detailType} of ${emitted.source} are supported`);
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null
        ? (current as Record<string, unknown>)[name]
        : undefined,
    value,
  );
  return typeof found === 'string' ? found : undefined;
}
