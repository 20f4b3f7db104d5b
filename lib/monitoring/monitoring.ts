import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { ConfigurationError, fixedRegionOf } from '../configuration.ts';
import { type Configuration, regionOf } from '../settings.ts';
import { type AlarmDescription, alarms, type MonitoredResources, type WatchedResources } from './alarms.ts';
import { createDashboard } from './dashboard.ts';

interface MonitoringProps extends MonitoredResources {
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

/** Recipients of alarms. */
interface AlarmTargets {
  readonly alarmEmail: string | undefined;
  readonly alarmTopicArn: string | undefined;
}

/**
 * Returns the ARNs of the targets of alarms: a topic of the stack that sends mail, an existing topic, both,
 * or none.
 *
 * @throws {ConfigurationError} if the existing topic is in another Region than the stack: an alarm notifies
 * only topics in the Region of the alarm. If the Region of the stack is not known yet, CloudFormation
 * rejects such a topic.
 */
function alarmTopics(scope: Construct, { alarmEmail, alarmTopicArn }: AlarmTargets): readonly string[] {
  const [region, topicRegion] = [fixedRegionOf(Stack.of(scope)), regionOf(alarmTopicArn)];
  if (topicRegion !== undefined && region !== undefined && topicRegion !== region) {
    throw new ConfigurationError(
      `The topic of alarmTopicArn is in ${topicRegion}, but the stack is in ${region}. An alarm notifies only topics in ` +
        `the Region of the alarm: give a topic in ${region}.`,
    );
  }
  return [
    ...(alarmEmail === undefined ? [] : [mailTopic(scope, alarmEmail).topicArn]),
    ...(alarmTopicArn === undefined ? [] : [alarmTopicArn]),
  ];
}

/**
 * Creates a topic to which only CloudWatch alarms of this account may publish, and only over TLS. SNS sends
 * the address a mail with a link, and sends no notification until the link is opened (SNS Developer Guide,
 * "Email notifications").
 */
function mailTopic(scope: Construct, address: string): Topic {
  const topic = new Topic(scope, 'Topic', { displayName: 'File sync alarms', enforceSSL: true });
  const { account } = Stack.of(scope);
  // CloudWatch User Guide, "Notifying users on alarm changes": the principal and its conditions.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: {
          'aws:SourceArn': Stack.of(scope).formatArn({
            service: 'cloudwatch',
            resource: 'alarm',
            resourceName: '*',
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  topic.addSubscription(new EmailSubscription(address));
  return topic;
}
