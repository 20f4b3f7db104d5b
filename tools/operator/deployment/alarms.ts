import * as v from 'valibot';
import { cloudWatchClient, snsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { listStackResources, type StackResources } from './stack-resources.ts';

/** An alarm of a deployment. */
export interface Alarm {
  readonly name: string;
  readonly isRaised: boolean;
  /** The alarm's description in the stack: the problem, and the next step for the operator. */
  readonly description?: string | undefined;
  /** ARNs to notify when the alarm is raised. */
  readonly notifies: readonly string[];
}

/** Reads the alarms of a deployment, sorted by name. */
export async function readAlarms(
  deployment: Deployment,
  resources: StackResources | Promise<StackResources> = listStackResources(deployment),
): Promise<readonly Alarm[]> {
  const names = (await resources).namesOf('AWS::CloudWatch::Alarm');
  // Without names, CloudWatch would describe every alarm of the account.
  if (names.length === 0) {
    return [];
  }
  const client = await cloudWatchClient(deployment);
  // CloudWatch accepts 100 names in one call. A stack contains far fewer alarms.
  const { MetricAlarms = [] } = await client.describeAlarms({ AlarmNames: [...names] });
  const alarms = MetricAlarms.map(
    ({ AlarmName = 'unnamed', ActionsEnabled, AlarmActions = [], ...alarm }) => ({
      name: AlarmName,
      isRaised: alarm.StateValue === 'ALARM',
      description: alarm.AlarmDescription,
      notifies: ActionsEnabled === false ? [] : AlarmActions,
    }),
  );
  return alarms.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A time for which an alarm was raised. Times are milliseconds since the epoch. */
export interface PastAlarm {
  readonly from: number;
  readonly until: number;
}

/** Schema of the data of a change of state (AlarmHistoryItem, HistoryData). */
const stateChange = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ newState: v.object({ stateValue: v.string() }) }),
);

/**
 * Reads the times for which an alarm was raised, newest first, without the present time. CloudWatch stores
 * the history for 30 days, and returns at most 100 changes of state, the newest.
 */
export async function readPastAlarms(
  deployment: Deployment,
  AlarmName: string,
): Promise<readonly PastAlarm[]> {
  const client = await cloudWatchClient(deployment);
  const { AlarmHistoryItems = [] } = await client.describeAlarmHistory({
    AlarmName,
    HistoryItemType: 'StateUpdate',
    ScanBy: 'TimestampDescending',
    MaxRecords: 100,
  });
  const changes = AlarmHistoryItems.map(({ Timestamp, HistoryData }) => ({
    at: Timestamp?.getTime() ?? 0,
    isRaised: v.parse(stateChange, HistoryData).newState.stateValue === 'ALARM',
  }));
  return changes.flatMap(({ at: until, isRaised }, index) => {
    const before = changes[index + 1];
    return !isRaised && before?.isRaised ? [{ from: before.at, until }] : [];
  });
}

/**
 * Returns the email addresses with an unconfirmed SNS subscription. SNS does not notify an address before its
 * owner follows the link in the first email. A topic of another account may reject the call. Its addresses
 * are then unknown and left out.
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
  // An unconfirmed subscription has this word as its ARN (SNS API reference, ListSubscriptionsByTopic).
  return responses
    .flatMap(({ Subscriptions = [] }) => Subscriptions)
    .flatMap(({ SubscriptionArn, Endpoint = '' }) =>
      SubscriptionArn === 'PendingConfirmation' ? [Endpoint] : [],
    );
}
