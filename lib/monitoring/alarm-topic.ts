import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { ConfigurationError, fixedRegionOf } from '../configuration.ts';
import { regionOf } from '../settings.ts';

/** Recipients of alarms. */
export interface AlarmTargets {
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
export function alarmTopics(
  scope: Construct,
  { alarmEmail, alarmTopicArn }: AlarmTargets,
): readonly string[] {
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
