import type { StackIdentity } from '../shared/names.ts';
import type { AlarmChange } from './alarm-change.ts';
import type { MetricAlarm, TemplateAlarm } from './template-alarms.ts';

/** What CloudWatch publishes to a topic of SNS when the state of an alarm changes. */
export interface AlarmMessage {
  readonly subject: string;
  /** JSON. */
  readonly message: string;
}

/** Names of Regions in messages (AWS General Reference, "CloudWatch endpoints"). Of others the code is used. */
const regionNames: Readonly<Record<string, string>> = {
  'us-east-1': 'US East (N. Virginia)',
  'us-east-2': 'US East (Ohio)',
  'us-west-1': 'US West (N. California)',
  'us-west-2': 'US West (Oregon)',
  'ca-central-1': 'Canada (Central)',
  'eu-central-1': 'EU (Frankfurt)',
  'eu-west-1': 'EU (Ireland)',
  'eu-west-2': 'EU (London)',
  'eu-west-3': 'EU (Paris)',
  'eu-north-1': 'EU (Stockholm)',
  'ap-northeast-1': 'Asia Pacific (Tokyo)',
  'ap-southeast-1': 'Asia Pacific (Singapore)',
  'ap-southeast-2': 'Asia Pacific (Sydney)',
};

/** Longest subject of a message (SNS API reference, Publish). */
const longestSubject = 100;

/** Subject and message of a change, as AWS writes them. */
export function alarmMessage(alarm: TemplateAlarm, change: AlarmChange, stack: StackIdentity): AlarmMessage {
  const region = regionNames[stack.region] ?? stack.region;
  const { AlarmDescription, OKActions = [], AlarmActions = [] } = alarm.properties;
  const message = {
    AlarmName: alarm.name,
    AlarmDescription: AlarmDescription ?? null,
    AWSAccountId: stack.accountId,
    NewStateValue: change.to,
    NewStateReason: change.reason,
    StateChangeTime: new Date(change.at).toISOString().replace('Z', '+0000'),
    Region: region,
    AlarmArn: alarm.arn,
    OldStateValue: change.from,
    OKActions,
    AlarmActions,
    InsufficientDataActions: alarm.properties.InsufficientDataActions ?? [],
    ...(alarm.kind === 'metric' ? { Trigger: trigger(alarm) } : { AlarmRule: alarm.properties.AlarmRule }),
  };
  return {
    subject: `${change.to}: "${alarm.name}" in ${region}`.slice(0, longestSubject),
    message: JSON.stringify(message),
  };
}

function trigger({ properties }: MetricAlarm) {
  const { Metrics, MetricName, Namespace, Statistic, ExtendedStatistic, Unit } = properties;
  const rule = {
    EvaluationPeriods: properties.EvaluationPeriods,
    DatapointsToAlarm: properties.DatapointsToAlarm ?? properties.EvaluationPeriods,
    ComparisonOperator: properties.ComparisonOperator,
    Threshold: properties.Threshold,
    TreatMissingData: properties.TreatMissingData,
    EvaluateLowSampleCountPercentile: properties.EvaluateLowSampleCountPercentile ?? '',
  };
  if (Metrics !== undefined) {
    return { ...rule, Metrics };
  }
  return {
    MetricName,
    Namespace,
    ...(ExtendedStatistic === undefined
      ? { StatisticType: 'Statistic', Statistic: Statistic?.toUpperCase() }
      : { StatisticType: 'ExtendedStatistic', ExtendedStatistic }),
    Unit: Unit ?? null,
    Dimensions: properties.Dimensions.map(({ Name, Value }) => ({ value: Value, name: Name })),
    Period: properties.Period,
    ...rule,
  };
}
