import type { StackIdentity } from '../shared/names.ts';
import type { AlarmChange } from './alarms.ts';
import type { TemplateAlarm } from './template-alarms.ts';

/** Message that CloudWatch publishes to an SNS topic when the state of an alarm changes. */
interface AlarmMessage {
  readonly subject: string;
  /** Message as JSON. */
  readonly message: string;
}

/** Longest subject of a message (SNS API reference, Publish). */
const maxSubject = 100;

/**
 * Creates the subject and message for a change of state. The message in AWS also contains the actions and
 * metrics of the alarm.
 */
export function alarmMessage(alarm: TemplateAlarm, change: AlarmChange, stack: StackIdentity): AlarmMessage {
  const message = {
    AlarmName: alarm.name,
    AlarmDescription: alarm.properties.AlarmDescription ?? null,
    AWSAccountId: stack.accountId,
    NewStateValue: change.to,
    NewStateReason: change.reason,
    StateChangeTime: new Date(change.at).toISOString().replace('Z', '+0000'),
    Region: stack.region,
    AlarmArn: alarm.arn,
    OldStateValue: change.from,
  };
  return {
    subject: `${change.to}: "${alarm.name}" in ${stack.region}`.slice(0, maxSubject),
    message: JSON.stringify(message),
  };
}
