import * as v from 'valibot';
import { arnOf, physicalName } from '../shared/names.ts';
import { countSchema, defineResourceType, tagListSchema } from '../shared/resource-type.ts';

const targetSchema = v.strictObject({
  Id: v.string(),
  Arn: v.string(),
  DeadLetterConfig: v.optional(v.strictObject({ Arn: v.optional(v.string()) })),
  RetryPolicy: v.optional(
    v.strictObject({
      MaximumEventAgeInSeconds: v.optional(countSchema),
      MaximumRetryAttempts: v.optional(countSchema),
    }),
  ),
});

const ruleSchema = v.strictObject({
  Description: v.optional(v.string()),
  /** Name or ARN. Absent: the default bus, on which the services of AWS send their events. */
  EventBusName: v.optional(v.string()),
  EventPattern: v.optional(v.record(v.string(), v.unknown())),
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED'])),
  Targets: v.optional(v.array(targetSchema)),
});

export const ruleType = defineResourceType('AWS::Events::Rule', ruleSchema, {
  attributes: { Arn: arnOf('events', 'rule/') },
});

export const eventBusType = defineResourceType(
  'AWS::Events::EventBus',
  // The bus is named after its logical ID here, as other resources are: its `Ref` is made before its properties.
  v.strictObject({ Name: v.string(), Description: v.optional(v.string()), Tags: tagListSchema }),
  { attributes: { Arn: arnOf('events', 'event-bus/'), Name: physicalName } },
);
