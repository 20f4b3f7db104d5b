import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { arnOf, physicalName, regionalArn } from '../shared/names.ts';
import {
  countSchema,
  defineResourceType,
  optionalText,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';
import { busOf } from './outbox.ts';

const targetSchema = v.strictObject({
  Id: v.string(),
  Arn: v.string(),
  DeadLetterConfig: v.optional(v.strictObject({ Arn: optionalText })),
  RetryPolicy: v.optional(
    v.strictObject({
      MaximumEventAgeInSeconds: v.optional(countSchema),
      MaximumRetryAttempts: v.optional(countSchema),
    }),
  ),
});

const ruleSchema = v.strictObject({
  Description: optionalText,
  /** Name or ARN. Default: the default bus, which receives the events of AWS services. */
  EventBusName: optionalText,
  EventPattern: v.optional(v.record(v.string(), v.unknown())),
  ScheduleExpression: optionalText,
  State: v.optional(v.picklist(['ENABLED', 'DISABLED'])),
  Targets: v.optional(v.array(targetSchema)),
});

export const ruleType = defineResourceType('AWS::Events::Rule', ruleSchema, {
  attributes: { Arn: arnOf('events', 'rule/') },
});

export const eventBusType = defineResourceType(
  'AWS::Events::EventBus',
  // Name is ignored: as for other resources, the name is derived from the logical ID, because `Ref` must be
  // known before properties are read.
  v.strictObject({ Name: v.string(), Description: optionalText, Tags: tagListSchema }),
  { attributes: { Arn: arnOf('events', 'event-bus/'), Name: physicalName } },
);

export const eventBusPolicyType = defineResourceType(
  'AWS::Events::EventBusPolicy',
  v.strictObject({ EventBusName: v.string(), StatementId: v.string(), Statement: policyDocumentSchema }),
);

/** Returns the policies of the template's buses. Each resource is one statement of the policy of its bus. */
export const eventBusPolicies = policiesFrom(eventBusPolicyType, ({ properties }, stack) => ({
  owners: [regionalArn('events', `event-bus/${busOf(properties.EventBusName)}`, stack)],
  document: { Version: '2012-10-17', Statement: [properties.Statement] },
}));
