import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { cloudFormationClient, cloudWatchClient } from '../../deployment/aws-clients.ts';
import type { AwsConfig } from '../../deployment/deployment.ts';
import { counted } from '../../text.ts';
import { failed, type Outcome, ok, warning } from './finding.ts';

/** Whether an alarm of the stack is raised, and whether anybody would be told. */
export async function checkAlarms(stackName: string, awsConfig: AwsConfig): Promise<Outcome> {
  const alarms = await readAlarms(await alarmNames(stackName, awsConfig), awsConfig);
  if (alarms.length === 0) {
    return failed('The stack has no alarms.', 'Deploy the stack again (npx cdk deploy), which makes them.');
  }
  const raised = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  if (raised.length > 0) {
    return failed(`${counted(raised.length, 'alarm')} raised: ${raised.map(describe).join('; ')}.`);
  }
  const silent = alarms.filter(
    ({ ActionsEnabled, AlarmActions = [] }) => ActionsEnabled === false || AlarmActions.length === 0,
  );
  if (silent.length > 0) {
    return warning(
      `No alarm is raised, but nobody is told when one is: ${silent.map(nameOf).join(', ')}.`,
      'Add an action in CloudWatch, such as an SNS topic.',
    );
  }
  return ok(`${counted(alarms.length, 'alarm')}, none raised`);
}

/** The description of each alarm says what happened and what to do. */
function describe(alarm: MetricAlarm): string {
  return alarm.AlarmDescription === undefined
    ? nameOf(alarm)
    : `${nameOf(alarm)} (${alarm.AlarmDescription})`;
}

function nameOf({ AlarmName = 'unnamed' }: MetricAlarm): string {
  return AlarmName;
}

/** The names come from the stack: a prefix would also find the alarms of a stack whose name begins alike. */
async function alarmNames(stackName: string, awsConfig: AwsConfig): Promise<readonly string[]> {
  const { paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const client = await cloudFormationClient({ awsConfig });
  const names: string[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType === 'AWS::CloudWatch::Alarm' && PhysicalResourceId !== undefined) {
        names.push(PhysicalResourceId);
      }
    }
  }
  return names;
}

async function readAlarms(names: readonly string[], awsConfig: AwsConfig): Promise<readonly MetricAlarm[]> {
  if (names.length === 0) {
    return [];
  }
  const { DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const client = await cloudWatchClient({ awsConfig });
  const { MetricAlarms = [] } = await client.send(new DescribeAlarmsCommand({ AlarmNames: [...names] }));
  return MetricAlarms;
}
