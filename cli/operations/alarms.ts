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
  const found: Alarm[] = [];
  for (let start = 0; start < names.length; start += mostNames) {
    const AlarmNames = names.slice(start, start + mostNames);
    const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNames, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
    );
    found.push(...[...MetricAlarms, ...CompositeAlarms].map(toAlarm));
  }
  client.destroy();
  const isQuiet = ({ state }: Alarm) => (state === 'alarm' ? 0 : 1);
  return found.toSorted((a, b) => isQuiet(a) - isQuiet(b) || (a.name < b.name ? -1 : 1));
}

function toAlarm(alarm: MetricAlarm | CompositeAlarm): Alarm {
  const { AlarmName = 'unnamed', StateValue, AlarmDescription, StateReason, AlarmActions = [] } = alarm;
  const since = alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp;
  return {
    name: AlarmName,
    state: StateValue === undefined ? 'insufficient_data' : states[StateValue],
    ...(AlarmDescription === undefined ? {} : { description: AlarmDescription }),
    ...(StateReason === undefined ? {} : { reason: StateReason }),
    ...(since === undefined ? {} : { since: since.toISOString() }),
    notifies: alarm.ActionsEnabled !== false && AlarmActions.length > 0,
  };
}
