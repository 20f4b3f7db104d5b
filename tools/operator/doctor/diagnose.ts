import type { Item } from '../../../storage/attributes.ts';
import { stsClient } from '../deployment/aws-clients.ts';
import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, throwDamage } from '../deployment/items.ts';
import type { TimeRange } from '../deployment/metrics.ts';
import { describeStack } from '../deployment/stack-deployment.ts';
import type { ReadProgress } from '../lists/list.ts';
import { scanTable } from '../lists/read.ts';
import { lastHour } from '../requests/activity.ts';
import { listSigningKeys, readKeySecret } from '../signing-keys/signing-key.ts';
import { checkAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkAudit } from './audit.ts';
import { checkContent } from './content.ts';
import { type CheckResult, examine, type Finding, ok, warning } from './finding.ts';
import { checkFailedRuns, checkPastAlarms, checkRequests } from './history.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkStack } from './stack.ts';
import { checkDeadLetters, checkDueUploads } from './uploads.ts';
import { checkVersion, toolVersion } from './version.ts';

/**
 * Checks a deployment for all known causes of failure. Each check is independent: an error in one, such as a
 * missing permission, does not hide the others.
 *
 * @param kind `local` for a local run, without a stack in CloudFormation, and with its alarms on the terminal
 * @param range another time than the last hour, in which requests are counted too
 * @param contentProgress progress of the long check of all content. Undefined: content is not checked
 * @returns one finding for each check, in the order of the checks
 */
export async function diagnose(
  deployment: Deployment,
  kind: 'local' | 'stack',
  range?: TimeRange,
  contentProgress?: ReadProgress['progress'],
): Promise<readonly Finding[]> {
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
    examine('past alarms', () => checkPastAlarms(deployment)),
    examine('failed runs', () => checkFailedRuns(deployment)),
    examine('requests', () => checkRequests(deployment, lastHour(now()))),
    ...(range ? [examine('chosen time', () => checkRequests(deployment, range))] : []),
    examine('readers', async () => ok(outputs.ContentReaders ?? 'no role of another account')),
    // CloudTrail is not a part of a local run.
    ...(isLocal ? [] : [examine('audit', () => checkAudit(deployment))]),
    examine('dead letters', () => checkDeadLetters(deployment)),
    examine('due uploads', () => checkDueUploads(deployment, now())),
    examine('items', () => checkItems(deployment)),
    examine('api', () => checkApi(deployment)),
    ...(contentProgress ? [examine('content', () => checkContent(deployment, contentProgress))] : []),
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
 * Checks for damaged items, and names suspended organisations. Reads at most 4 MB of a table, to keep the check fast and cheap.
 *
 * @throws {OperationError} with the damaged items
 */
async function checkItems(deployment: Deployment): Promise<CheckResult> {
  const damage = new Set<string>();
  const suspended: string[] = [];
  for (const kind of Object.keys(kinds) as Kind[]) {
    const note = ({ organisation_id, suspended_at, deleted_at }: Item) => {
      if (kind === 'organisation' && suspended_at && !deleted_at) {
        suspended.push(organisation_id?.S ?? '');
      }
      return false;
    };
    await scanTable({ ...deployment, damage }, kind, note, { isTimeUp: () => true });
  }
  throwDamage(damage);
  const suspensions =
    suspended.length > 0 ? `. Suspended organisations: ${suspended.slice(0, 10).join(', ')}` : '';
  return ok(`no damaged item in the first 4 MB of each table. Lists check all items${suspensions}`);
}
