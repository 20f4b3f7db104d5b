import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { cloudWatchClient, snsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { listStackResources } from './stack-resources.ts';

/** An alarm of a deployment. */
export interface Alarm {
  readonly name: string;
  readonly state: 'ok' | 'alarm' | 'insufficient_data';
  /** What happened and what to do, as the description in the stack says. */
  readonly description?: string;
  /** Why the alarm has its state, as CloudWatch says. */
  readonly reason?: string;
  /** When the state began. ISO 8601. */
  readonly since?: string;
  /** The ARNs that are notified when the alarm is raised. */
  readonly tells: readonly string[];
}

const states = { OK: 'ok', ALARM: 'alarm', INSUFFICIENT_DATA: 'insufficient_data' } as const;

/** Reads the alarms of a deployment, raised alarms first. */
export async function readAlarms(
  deployment: Pick<Deployment, 'stackName' | 'awsConfig'>,
): Promise<readonly Alarm[]> {
  const { namesOf } = await listStackResources(deployment);
  const names = namesOf('AWS::CloudWatch::Alarm');
  // Without names, CloudWatch would describe every alarm of the account.
  if (names.length === 0) {
    return [];
  }
  const client = await cloudWatchClient(deployment);
  // CloudWatch takes 100 names in one call, and a stack has far fewer alarms.
  const { MetricAlarms = [] } = await client.describeAlarms({ AlarmNames: [...names] });
  const isQuiet = ({ state }: Alarm) => (state === 'alarm' ? 0 : 1);
  return MetricAlarms.map(toAlarm).toSorted((a, b) => isQuiet(a) - isQuiet(b) || (a.name < b.name ? -1 : 1));
}

function toAlarm(alarm: MetricAlarm): Alarm {
  const { AlarmName = 'unnamed', StateValue, AlarmDescription, StateReason } = alarm;
  const { ActionsEnabled, AlarmActions = [] } = alarm;
  const since = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp;
  return {
    name: AlarmName,
    state: StateValue === undefined ? 'insufficient_data' : states[StateValue],
    ...(AlarmDescription === undefined ? {} : { description: AlarmDescription }),
    ...(StateReason === undefined ? {} : { reason: StateReason }),
    ...(since === undefined ? {} : { since: since.toISOString() }),
    tells: ActionsEnabled === false ? [] : AlarmActions,
  };
}

/**
 * The mail addresses that SNS does not notify yet, because nobody has followed the link in the first mail of SNS. A topic of
 * another account may refuse the question. Then its addresses are unknown and left out.
 */
export async function unconfirmedAddresses(
  deployment: Pick<Deployment, 'awsConfig'>,
  topics: readonly string[],
): Promise<readonly string[]> {
  const client = await snsClient(deployment);
  const lists = await Promise.all(
    topics.map((TopicArn) =>
      client.listSubscriptionsByTopic({ TopicArn }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'AuthorizationErrorException') {
          return { Subscriptions: [] };
        }
        throw error;
      }),
    ),
  );
  // SNS API reference, ListSubscriptionsByTopic: the ARN of a subscription that waits is this word.
  return lists
    .flatMap(({ Subscriptions = [] }) => Subscriptions)
    .flatMap(({ SubscriptionArn, Endpoint = '' }) =>
      SubscriptionArn === 'PendingConfirmation' ? [Endpoint] : [],
    );
}
