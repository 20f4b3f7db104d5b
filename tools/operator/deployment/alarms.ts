import { cloudWatchClient, snsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { listStackResources } from './stack-resources.ts';

/** An alarm of a deployment. */
export interface Alarm {
  readonly name: string;
  readonly isRaised: boolean;
  /** What happened and what to do, as the description in the stack says. */
  readonly description?: string | undefined;
  /** The ARNs that are notified when the alarm is raised. */
  readonly tells: readonly string[];
}

/** Reads the alarms of a deployment, in the order of their names. */
export async function readAlarms(deployment: Deployment): Promise<readonly Alarm[]> {
  const { namesOf } = await listStackResources(deployment);
  const names = namesOf('AWS::CloudWatch::Alarm');
  // Without names, CloudWatch would describe every alarm of the account.
  if (names.length === 0) {
    return [];
  }
  const client = await cloudWatchClient(deployment);
  // CloudWatch takes 100 names in one call, and a stack has far fewer alarms.
  const { MetricAlarms = [] } = await client.describeAlarms({ AlarmNames: [...names] });
  const alarms = MetricAlarms.map(
    ({ AlarmName = 'unnamed', ActionsEnabled, AlarmActions = [], ...alarm }) => ({
      name: AlarmName,
      isRaised: alarm.StateValue === 'ALARM',
      description: alarm.AlarmDescription,
      tells: ActionsEnabled === false ? [] : AlarmActions,
    }),
  );
  return alarms.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The mail addresses that SNS does not notify yet, because nobody has followed the link in the first mail of SNS. A topic of
 * another account may reject the question. Then its addresses are unknown and left out.
 */
export async function unconfirmedAddresses(
  deployment: Deployment,
  topics: readonly string[],
): Promise<readonly string[]> {
  const client = await snsClient(deployment);
  const subscriptionsOf = (TopicArn: string) =>
    client.listSubscriptionsByTopic({ TopicArn }).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'AuthorizationErrorException') {
        return { Subscriptions: [] };
      }
      throw error;
    });
  const responses = await Promise.all(topics.map(subscriptionsOf));
  // SNS API reference, ListSubscriptionsByTopic: the ARN of a subscription that waits is this word.
  return responses
    .flatMap(({ Subscriptions = [] }) => Subscriptions)
    .flatMap(({ SubscriptionArn, Endpoint = '' }) =>
      SubscriptionArn === 'PendingConfirmation' ? [Endpoint] : [],
    );
}
