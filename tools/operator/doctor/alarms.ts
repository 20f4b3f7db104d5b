import { type Alarm, readAlarms, unconfirmedAddresses } from '../deployment/alarms.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { counted, printable } from '../text.ts';
import { failed, type Outcome, ok, warning } from './finding.ts';

/**
 * Whether an alarm of the deployment is raised, and whether anybody would be told.
 *
 * @param isLocal a local run tells of its alarms on the terminal, and nobody else
 */
export async function checkAlarms(
  deployment: Pick<Deployment, 'stackName' | 'awsConfig'>,
  isLocal: boolean,
): Promise<Outcome> {
  const alarms = await readAlarms(deployment);
  if (alarms.length === 0) {
    return ok('none: the stack is deployed with monitoring=none');
  }
  const raised = alarms.filter(({ state }) => state === 'alarm');
  if (raised.length > 0) {
    return failed(`${counted(raised.length, 'alarm')} raised: ${raised.map(describe).join('; ')}.`);
  }
  const silent = isLocal ? [] : alarms.filter(({ tells }) => tells.length === 0);
  if (silent.length > 0) {
    const which = silent.length === alarms.length ? '' : `: ${silent.map(({ name }) => name).join(', ')}`;
    return warning(
      `No alarm is raised, but nobody is told when one is${which}.`,
      'Deploy the stack with the setting alarmEmail, or with alarmTopicArn for an SNS topic of yours.',
    );
  }
  const told = [...new Set(alarms.flatMap(({ tells }) => tells))];
  const unconfirmed = isLocal ? [] : await unconfirmedAddresses(deployment, told);
  if (unconfirmed.length > 0) {
    return warning(
      `No alarm is raised, but none would reach ${unconfirmed.map(printable).join(', ')}: SNS waits for a confirmation.`,
      'Follow the link in the mail that SNS sent there. Deploy with another alarmEmail to have it sent again.',
    );
  }
  const where = told.length === 0 ? '' : `; told of one: ${told.join(', ')}`;
  return ok(`${counted(alarms.length, 'alarm')}, none raised${where}`);
}

/** The description of each alarm says what happened and what to do. */
function describe({ name, description }: Alarm): string {
  return description === undefined ? name : `${name} (${description})`;
}
