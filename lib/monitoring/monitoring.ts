import { Stack } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type AlarmTargets, alarmTopics } from './alarm-topic.ts';
import { type MonitoredResources, type Symptom, symptoms } from './alarms.ts';
import { createDashboard } from './dashboard.ts';
import { throttledMetric } from './metrics.ts';

export interface MonitoringProps extends MonitoredResources {
  readonly configuration: AlarmTargets & { readonly signingKeyRotationDays: number };
}

/** The alarms of the service, whom they notify, and the dashboard. Each alarm notifies by itself: none can mute another. */
export class Monitoring extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { configuration, api } = props;
    const { signingKeyRotationDays } = configuration;
    const namespace = Stack.of(this).stackName;
    new MetricFilter(this, 'ThrottledRequests', {
      logGroup: api.accessLog,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace: namespace,
      metricName: throttledMetric,
    });
    const topics = alarmTopics(this, configuration);
    const watched: Readonly<Record<string, Symptom>> = symptoms({
      ...props,
      namespace,
      signingKeyRotationDays,
    });
    const alarms = Object.entries(watched).map(([name, symptom]) => this.alarm(name, symptom, topics));
    this.dashboardName = createDashboard(this, { ...props, namespace, alarms }).dashboardName;
  }

  /** People hear when trouble begins, and when it is over. */
  private alarm(name: string, symptom: Symptom, topics: readonly string[]): Alarm {
    const { means, todo, metric, threshold } = symptom;
    const alarm = new Alarm(this, name, {
      alarmDescription: `${means}. ${todo}. Runbook: docs/runbooks.md#${name.toLowerCase()}`,
      metric,
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const actions = topics.map((topicArn) => ({ bind: () => ({ alarmActionArn: topicArn }) }));
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    return alarm;
  }
}
