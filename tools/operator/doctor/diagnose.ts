import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { TimeRange } from '../deployment/metrics.ts';
import { describeStack } from '../deployment/stack-deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import { readKeySecret } from '../signing-keys/key-secret.ts';
import { listSigningKeys } from '../signing-keys/signing-key.ts';
import { checkAccount } from './account.ts';
import { checkAlarms, checkPastAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkClock } from './clock.ts';
import { checkFailedRuns } from './failed-runs.ts';
import { examine, type Finding, ok } from './finding.ts';
import { checkItems } from './items.ts';
import { checkKeyRotation, checkSigningKeys } from './keys.ts';
import { checkRequests } from './requests.ts';
import { checkStack } from './stack.ts';
import { checkDeadLetters, checkDueUploads } from './uploads.ts';
import { checkVersion, toolVersion } from './version.ts';

/**
 * Checks a deployment for all known causes of failure. Each check is independent: an error in one, such as a
 * missing permission, does not hide the others.
 *
 * @param kind `local` for a local run, without a stack in CloudFormation, and with its alarms on the terminal
 * @param range another time than the last hour, in which requests are counted too
 * @returns one finding for each check, in the order of the checks
 */
export async function diagnose(
  deployment: Deployment,
  kind: 'local' | 'stack',
  range?: TimeRange,
): Promise<readonly Finding[]> {
  const { stackName, outputs, awsConfig, now } = deployment;
  const isLocal = kind === 'local';
  const resources = listStackResources(deployment);
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
    examine('alarms', () => checkAlarms(deployment, resources, isLocal)),
    examine('past alarms', () => checkPastAlarms(deployment, resources)),
    examine('failed runs', () => checkFailedRuns(deployment)),
    examine('requests', () => checkRequests(deployment, resources, range)),
    examine('readers', async () => ok(outputs.ContentReaders ?? 'no role of another account')),
    examine('dead letters', () => checkDeadLetters(deployment)),
    examine('due uploads', () => checkDueUploads(deployment, now())),
    examine('items', () => checkItems(deployment)),
    examine('api', () => checkApi(deployment)),
  ]);
}
