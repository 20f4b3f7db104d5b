import { readAlarms, unconfirmedAddresses } from '../deployment/alarms.ts';
import { stsClient } from '../deployment/aws-clients.ts';
import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, throwDamage } from '../deployment/items.ts';
import { describeStack } from '../deployment/stack-deployment.ts';
import { scanTable } from '../lists/scan.ts';
import { listSigningKeys, readKeySecret } from '../signing-keys/signing-key.ts';
import { counted, printable } from '../text.ts';
import { checkApi } from './api.ts';
import { type CheckResult, examine, type Finding, failed, ok, warning } from './finding.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkStack } from './stack.ts';
import { checkDeadLetters, checkDueUploads } from './uploads.ts';
import { checkVersion, toolVersion } from './version.ts';

/**
 * Checks a deployment for all known causes of failure. Each check is independent: an error in one, such as a
 * missing permission, does not hide the others.
 *
 * @param kind `local` for a local run, without a stack in CloudFormation, and with its alarms on the terminal
 * @returns one finding for each check, in the order of the checks
 */
export async function diagnose(deployment: Deployment, kind: 'local' | 'stack'): Promise<readonly Finding[]> {
  const { stackName, outputs, awsConfig, now } = deployment;
  const isLocal = kind === 'local';
  return Promise.all([
    examine('account', () => checkAccount(deployment)),
    examine('clock', async () => checkClock(describeSkew(deployment))),
    ...(isLocal ? [] : [examine('stack', async () => checkStack(await describeStack(stackName, awsConfig)))]),
    examine('version', async () => checkVersion(outputs.Version, toolVersion)),
    examine('signing keys', async () => {
      const [keys, secret] = await Promise.all([listSigningKeys(deployment), readKeySecret(deployment)]);
      return checkSigningKeys(keys, secret, outputs.SigningKeyKmsKeyArn, now());
    }),
    examine('key rotation', () => checkKeyRotation(deployment, now())),
    examine('alarms', () => checkAlarms(deployment, isLocal)),
    examine('readers', async () => ok(outputs.ContentReaders ?? 'no role of another account')),
    examine('dead letters', () => checkDeadLetters(deployment)),
    examine('due uploads', () => checkDueUploads(deployment, now())),
    examine('items', () => checkItems(deployment)),
    examine('api', () => checkApi(deployment)),
  ]);
}

/**
 * Reports the caller's credentials, account and region. No policy can deny this call (STS API reference,
 * GetCallerIdentity).
 */
async function checkAccount(deployment: Deployment): Promise<CheckResult> {
  const sts = await stsClient(deployment);
  const { Arn, Account } = await sts.getCallerIdentity({});
  return ok(`${Arn} in account ${Account}, region ${await sts.config.region()}`);
}

/**
 * Checks the clock of this machine.
 *
 * @param skew text from `describeSkew`
 */
function checkClock(skew: string | undefined): CheckResult {
  return skew === undefined
    ? ok('this machine is at most a minute off AWS')
    : warning(skew, 'Set the clock of this machine. Other programs here may use the wrong time.');
}

/**
 * Checks for damaged items. Reads at most 4 MB of a table, to keep the check fast and cheap.
 *
 * @throws {OperationError} with the damaged items
 */
async function checkItems(deployment: Deployment): Promise<CheckResult> {
  const damage = new Set<string>();
  for (const kind of Object.keys(kinds) as Kind[]) {
    await scanTable({ ...deployment, damage }, kind, () => false, { isTimeUp: () => true });
  }
  throwDamage(damage);
  return ok('no damaged item in the first 4 MB of each table. Lists check all items');
}

/**
 * Checks for raised alarms, and for alarms that would notify nobody.
 *
 * @param isLocal true for a local run, which shows its alarms only on the terminal
 */
async function checkAlarms(deployment: Deployment, isLocal: boolean): Promise<CheckResult> {
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
