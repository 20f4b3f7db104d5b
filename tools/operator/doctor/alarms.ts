import { readAlarms, readPastAlarms, unconfirmedAddresses } from '../deployment/alarms.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { StackResources } from '../deployment/stack-resources.ts';
import { counted, printable } from '../text.ts';
import { type CheckResult, failed, news, ok, warning } from './finding.ts';

/**
 * Checks for raised alarms, and for alarms that would notify nobody.
 *
 * @param isLocal true for a local run, which shows its alarms only on the terminal
 */
export async function checkAlarms(
  deployment: Deployment,
  resources: Promise<StackResources>,
  isLocal: boolean,
): Promise<CheckResult> {
  const alarms = await readAlarms(deployment, resources);
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

const weekMilliseconds = 7 * 86_400_000;

/** Reports the alarms that were raised in the last week and have ended. */
export async function checkPastAlarms(
  deployment: Deployment,
  resources: Promise<StackResources>,
): Promise<CheckResult> {
  const names = (await resources).namesOf('AWS::CloudWatch::Alarm');
  const since = deployment.now() - weekMilliseconds;
  const texts = await Promise.all(
    names.map(async (name) => {
      const past = await readPastAlarms(deployment, name);
      const [last, ...others] = past.filter(({ until }) => until >= since);
      const times = others.length === 0 ? '' : `${others.length + 1} times, the last time `;
      return last && `${shortName(name)} (${times}from ${iso(last.from)} to ${iso(last.until)})`;
    }),
  );
  const raised = texts.filter((text) => text !== undefined);
  return raised.length === 0
    ? ok('none in the last 7 days')
    : news(`In the last 7 days, ${counted(raised.length, 'alarm')} came and ended: ${raised.join('; ')}.`);
}

/** Returns the name of an alarm in the runbooks. CloudFormation adds the stack's name and random characters. */
function shortName(name: string): string {
  return /Alarms([A-Za-z]+?)[\dA-F]{8}/.exec(name)?.[1] ?? name;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
