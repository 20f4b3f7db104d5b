import { readAlarms, unconfirmedAddresses } from '../deployment/alarms.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { counted, printable } from '../text.ts';
import { type CheckResult, failed, ok, warning } from './finding.ts';

/**
 * Checks for raised alarms, and for alarms that would notify nobody.
 *
 * @param isLocal true for a local run, which shows its alarms only on the terminal
 */
export async function checkAlarms(deployment: Deployment, isLocal: boolean): Promise<CheckResult> {
  const alarms = await readAlarms(deployment);
  if (alarms.length === 0) {
    return ok('none: the stack is deployed with monitoring=none');
  }
  const raised = alarms.filter(({ isRaised }) => isRaised);
  if (raised.length > 0) {
    // The description contains the problem and the next step.
    const texts = raised.map(({ name, description }) => `${name} (${description})`);
    return failed(`${counted(texts.length, 'alarm')} raised: ${texts.join('; ')}.`);
  }
  const none = `${counted(alarms.length, 'alarm')}, none raised`;
  if (isLocal) {
    return ok(none);
  }
  const silent = alarms.filter(({ notifies }) => notifies.length === 0);
  if (silent.length > 0) {
    const which = silent.length === alarms.length ? '' : `: ${silent.map(({ name }) => name).join(', ')}`;
    return warning(
      `No alarm is raised, but raised alarms notify nobody${which}.`,
      'Deploy the stack with the setting alarmEmail, or with alarmTopicArn for your own SNS topic.',
    );
  }
  const told = [...new Set(alarms.flatMap(({ notifies }) => notifies))];
  const unconfirmed = await unconfirmedAddresses(deployment, told);
  if (unconfirmed.length > 0) {
    return warning(
      `No alarm is raised, but an alarm would not reach ${unconfirmed.map(printable).join(', ')}: SNS waits for a confirmation.`,
      'Follow the link in the mail that SNS sent there. To get the mail again, deploy with another alarmEmail.',
    );
  }
  return ok(`${none}; an alarm notifies ${told.join(', ')}`);
}
