import type { CompositeAlarm, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { cloudWatchClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

/** An alarm of a deployment. */
export interface Alarm {
  readonly name: string;
  readonly state: 'ok' | 'alarm' | 'insufficient_data';
  /** What happened and what to do, as the stack says it. */
  readonly description?: string;
  /** Why it has its state, as CloudWatch says it. */
  readonly reason?: string;
  /** Since when it has its state. ISO 8601. */
  readonly since?: string;
  /** `page`: it is raised while another alarm is, and is there to tell people of that. */
  readonly kind: 'alarm' | 'page';
  /** ARNs of what is told when it is raised, by itself or by a page. */
  readonly tells: readonly string[];
  /** Whether anybody is told when it is raised. */
  readonly notifies: boolean;
}

const states = { OK: 'ok', ALARM: 'alarm', INSUFFICIENT_DATA: 'insufficient_data' } as const;

/** CloudWatch takes this many names in one call. */
const mostNames = 100;

/** Reads the alarms of a deployment, those that are raised first. */
export async function readAlarms(
  deployment: Pick<Deployment, 'stackName' | 'awsConfig'>,
): Promise<readonly Alarm[]> {
  const { namesOf } = await listStackResources(deployment);
  const names = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap(namesOf);
  const { DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const client = await cloudWatchClient(deployment);
  const metricAlarms: MetricAlarm[] = [];
  const pages: CompositeAlarm[] = [];
  for (let start = 0; start < names.length; start += mostNames) {
    const AlarmNames = names.slice(start, start + mostNames);
    const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNames, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
    );
    metricAlarms.push(...MetricAlarms);
    pages.push(...CompositeAlarms);
  }
  client.destroy();
  const found = [
    ...metricAlarms.map((alarm) => toAlarm(alarm, 'alarm', [alarm, ...pagesOf(alarm, pages)])),
    ...pages.map((page) => toAlarm(page, 'page', [page])),
  ];
  const isQuiet = ({ state }: Alarm) => (state === 'alarm' ? 0 : 1);
  return found.toSorted((a, b) => isQuiet(a) - isQuiet(b) || (a.name < b.name ? -1 : 1));
}

/** The pages whose rule names an alarm, by its ARN or by its name. */
function pagesOf(
  { AlarmArn, AlarmName }: MetricAlarm,
  pages: readonly CompositeAlarm[],
): readonly CompositeAlarm[] {
  const names = [AlarmArn, AlarmName].flatMap((name) => (name === undefined ? [] : [`(${name})`]));
  return pages.filter(({ AlarmRule = '' }) => {
    const rule = AlarmRule.replaceAll('"', '');
    return names.some((name) => rule.includes(name));
  });
}

/** @param tellers the alarms whose actions tell of it */
function toAlarm(
  alarm: MetricAlarm | CompositeAlarm,
  kind: Alarm['kind'],
  tellers: readonly (MetricAlarm | CompositeAlarm)[],
): Alarm {
  const { AlarmName = 'unnamed', StateValue, AlarmDescription, StateReason } = alarm;
  const since = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp;
  const actions = tellers.flatMap(({ ActionsEnabled, AlarmActions = [] }) =>
    ActionsEnabled === false ? [] : AlarmActions,
  );
  return {
    name: AlarmName,
    state: StateValue === undefined ? 'insufficient_data' : states[StateValue],
    ...(AlarmDescription === undefined ? {} : { description: AlarmDescription }),
    ...(StateReason === undefined ? {} : { reason: StateReason }),
    ...(since === undefined ? {} : { since: since.toISOString() }),
    kind,
    tells: [...new Set(actions)],
    notifies: actions.length > 0,
  };
}
