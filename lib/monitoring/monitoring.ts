import { Stack } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Configuration } from '../settings.ts';
import { type AlarmTargets, alarmTopics } from './alarm-topic.ts';
import { type AlarmDescription, alarms, type MonitoredResources, type WatchedResources } from './alarms.ts';
import { createDashboard } from './dashboard.ts';

export interface MonitoringProps extends MonitoredResources {
  readonly configuration: AlarmTargets & Pick<Configuration, 'signingKeyRotationDays' | 'runbooksUrl'>;
}

/**
 * The alarms of the service, their recipients, and the dashboard. Each alarm notifies on its own: no alarm
 * can mute another.
 */
export class Monitoring extends Construct {
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { configuration } = props;
    const { signingKeyRotationDays, runbooksUrl = 'docs/runbooks.md' } = configuration;
    const namespace = Stack.of(this).stackName;
    const watched = { ...props, scope: this, namespace, signingKeyRotationDays };
    const topics = alarmTopics(this, configuration);
    const made = Object.entries(alarms).map(([name, described]) =>
      this.alarm(name, described, watched, { topics, runbooksUrl }),
    );
    this.dashboardName = createDashboard(this, {
      ...props,
      namespace,
      alarms: made,
      runbooksUrl,
    }).dashboardName;
  }

  /** Recipients are notified of the start and the end of a problem. */
  private alarm(
    name: string,
    { means, todo, metric, threshold }: AlarmDescription,
    watched: WatchedResources,
    { topics, runbooksUrl }: { readonly topics: readonly string[]; readonly runbooksUrl: string },
  ): Alarm {
    const alarm = new Alarm(this, name, {
      alarmDescription: `${means}. First step: ${todo}. Runbook: ${runbooksUrl}#${name.toLowerCase()}`,
      metric: metric(watched),
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
