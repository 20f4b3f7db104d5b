import type { StackIdentity } from '../shared/names.ts';
import type { AlarmChange } from './alarms.ts';
import type { TemplateAlarm } from './template-alarms.ts';

/** What CloudWatch publishes to a topic of SNS when the state of an alarm changes. */
export interface AlarmMessage {
  readonly subject: string;
  /** JSON. */
  readonly message: string;
}

/** Longest subject of a message (SNS API reference, Publish). */
const longestSubject = 100;

/** Subject and message of a change, as AWS writes them. AWS writes the name of the Region where we have its code. */
export function alarmMessage(alarm: TemplateAlarm, change: AlarmChange, stack: StackIdentity): AlarmMessage {
  const { AlarmDescription, OKActions = [], AlarmActions = [], ...properties } = alarm.properties;
  const message = {
    AlarmName: alarm.name,
    AlarmDescription: AlarmDescription ?? null,
    AWSAccountId: stack.accountId,
    NewStateValue: change.to,
    NewStateReason: change.reason,
    StateChangeTime: new Date(change.at).toISOString().replace('Z', '+0000'),
    Region: stack.region,
    AlarmArn: alarm.arn,
    OldStateValue: change.from,
    OKActions,
    AlarmActions,
    InsufficientDataActions: [],
    Trigger: {
      EvaluationPeriods: properties.EvaluationPeriods,
      DatapointsToAlarm: properties.EvaluationPeriods,
      ComparisonOperator: properties.ComparisonOperator,
      Threshold: properties.Threshold,
      TreatMissingData: properties.TreatMissingData,
      Metrics: properties.Metrics,
    },
  };
  return {
    subject: `${change.to}: "${alarm.name}" in ${stack.region}`.slice(0, longestSubject),
    message: JSON.stringify(message),
  };
}
