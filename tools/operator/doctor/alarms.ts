import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { cloudWatchClient, snsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import { counted, printable } from '../text.ts';
import { type CheckResult, failed, ok, warning } from './finding.ts';

/** Reads the alarms of a deployment, sorted by name. */
export async function readAlarms(deployment: Deployment): Promise<readonly MetricAlarm[]> {
  const { namesOf } = await listStackResources(deployment);
  const names = namesOf('AWS::CloudWatch::Alarm');
  // Without names, CloudWatch would describe every alarm of the account.
  if (names.length === 0) {
    return [];
  }
  const client = await cloudWatchClient(deployment);
  // CloudWatch accepts 100 names in one call. A stack contains far fewer alarms.
  const { MetricAlarms = [] } = await client.describeAlarms({ AlarmNames: [...names] });
  return MetricAlarms.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ AlarmName = 'unnamed' }: MetricAlarm): string {
  return AlarmName;
}

/** Returns the ARNs to notify when the alarm is raised. */
function notifiedBy({ ActionsEnabled, AlarmActions = [] }: MetricAlarm): readonly string[] {
  return ActionsEnabled === false ? [] : AlarmActions;
}

/**
 * Returns the email addresses with an unconfirmed SNS subscription. SNS does not notify an address before its
 * owner follows the link in the first email. A topic of another account may reject the call. Its addresses
 * are then unknown and left out.
 */
async function unconfirmedAddresses(
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
  // An unconfirmed subscription has this word as its ARN (SNS API reference, ListSubscriptionsByTopic).
  return responses
    .flatMap(({ Subscriptions = [] }) => Subscriptions)
    .flatMap(({ SubscriptionArn, Endpoint = '' }) =>
      SubscriptionArn === 'PendingConfirmation' ? [Endpoint] : [],
    );
}

/** Checks for raised alarms, and for alarms that would notify nobody. */
export async function checkAlarms(deployment: Deployment): Promise<CheckResult> {
  const alarms = await readAlarms(deployment);
  if (alarms.length === 0) {
    return ok('none: the stack is deployed with monitoring=none');
  }
  // The description contains the problem and the next step.
  const texts = alarms
    .filter(({ StateValue }) => StateValue === 'ALARM')
    .map((alarm) => `${nameOf(alarm)} (${alarm.AlarmDescription})`);
  if (texts.length > 0) {
    return failed(`${counted(texts.length, 'alarm')} raised: ${texts.join('; ')}.`);
  }
  const none = `${counted(alarms.length, 'alarm')}, none raised`;
  if (deployment.isLocal) {
    return ok(none);
  }
  const silent = alarms.filter((alarm) => notifiedBy(alarm).length === 0);
  if (silent.length > 0) {
    const which = silent.length === alarms.length ? '' : `: ${silent.map(nameOf).join(', ')}`;
    return warning(
      `No alarm is raised, but raised alarms notify nobody${which}.`,
      'Deploy the stack with the setting alarmEmail, or with alarmTopicArn for your own SNS topic.',
    );
  }
  const told = [...new Set(alarms.flatMap(notifiedBy))];
  const unconfirmed = await unconfirmedAddresses(deployment, told);
  if (unconfirmed.length > 0) {
    return warning(
      `No alarm is raised, but an alarm would not reach ${unconfirmed.map(printable).join(', ')}: SNS waits for a confirmation.`,
      'Follow the link in the mail that SNS sent there. To get the mail again, deploy with another alarmEmail.',
    );
  }
  return ok(`${none}; an alarm notifies ${told.join(', ')}`);
}
