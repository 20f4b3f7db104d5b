import * as v from 'valibot';
import { arnOf, physicalName } from '../shared/names.ts';
import { countSchema, defineResourceType, optionalText, tagListSchema } from '../shared/resource-type.ts';

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
  /** Name or ARN. Absent: the default bus, on which the services of AWS send their events. */
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
  // Name is ignored: the name is made of the logical ID, as for other resources. `Ref` is known before properties are
  // read.
  v.strictObject({ Name: v.string(), Description: optionalText, Tags: tagListSchema }),
  { attributes: { Arn: arnOf('events', 'event-bus/'), Name: physicalName } },
);
