import { stsClient } from '../deployment/aws-clients.ts';
import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, throwDamage } from '../deployment/items.ts';
import { describeStack } from '../deployment/stack-deployment.ts';
import type { ReadProgress } from '../lists/list.ts';
import { scanTable } from '../lists/read.ts';
import { listSigningKeys, readKeySecret } from '../signing-keys/signing-key.ts';
import { describeSetBack } from '../uploads/upload.ts';
import { checkAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkAudit } from './audit.ts';
import { checkContent } from './content.ts';
import { type CheckResult, examine, type Finding, failed, ok, warning } from './finding.ts';
import { checkFailedRuns, checkPastAlarms, checkRequests } from './history.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkSecrets } from './secrets.ts';
import { checkStack } from './stack.ts';
import { checkDeadLetters, checkDueUploads } from './uploads.ts';
import { checkVersion, toolVersion } from './version.ts';

/** Checks of a deployment, by their names, in the order of their findings. */
const checks: Readonly<Record<string, (deployment: Deployment) => Promise<CheckResult>>> = {
  account: checkAccount,
  clock: checkClock,
  stack: async ({ stackName, awsConfig }) => checkStack(await describeStack(stackName, awsConfig)),
  version: async ({ outputs }) => checkVersion(outputs.Version, toolVersion),
  'signing keys': async (deployment) => {
    const [keys, secret] = await Promise.all([listSigningKeys(deployment), readKeySecret(deployment)]);
    return checkSigningKeys(keys, secret, deployment.outputs.SigningKeyKmsKeyArn, deployment.now());
  },
  'key rotation': checkKeyRotation,
  alarms: checkAlarms,
  'past alarms': checkPastAlarms,
  'failed runs': checkFailedRuns,
  requests: checkRequests,
  readers: async ({ outputs }) => ok(outputs.ContentReaders ?? 'no role of another account'),
  audit: checkAudit,
  'dead letters': checkDeadLetters,
  'due uploads': checkDueUploads,
  secrets: checkSecrets,
  items: checkItems,
  api: checkApi,
};

/** Checks of a deployed stack only. CloudFormation and CloudTrail are not parts of a local run. */
const stackChecks = ['stack', 'audit'];

/**
 * Checks a deployment for all known causes of failure. Each check is independent: an error in one, such as a
 * missing permission, does not hide the others.
 *
 * @param contentProgress progress of the long check of all content. Undefined: content is not checked
 * @returns one finding for each check, in the order of the checks
 */
export async function diagnose(
  deployment: Deployment,
  contentProgress?: ReadProgress['progress'],
): Promise<readonly Finding[]> {
  const findings = Object.entries(checks)
    .filter(([check]) => !deployment.isLocal || !stackChecks.includes(check))
    .map(([check, run]) => examine(check, () => run(deployment)));
  if (contentProgress !== undefined) {
    findings.push(examine('content', () => checkContent(deployment, contentProgress)));
  }
  return Promise.all(findings);
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

/** Checks the clock of the service by its newest upload, and the clock of this machine. */
async function checkClock(deployment: Deployment): Promise<CheckResult> {
  const setBack = await describeSetBack(deployment);
  if (setBack !== undefined) {
    return failed(setBack);
  }
  const skew = describeSkew(deployment);
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
