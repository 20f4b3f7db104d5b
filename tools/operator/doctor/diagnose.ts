import { describeSkew } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { describeStack } from '../deployment/stack-deployment.ts';
import { readKeySecret } from '../signing-keys/key-secret.ts';
import { listSigningKeys } from '../signing-keys/signing-key.ts';
import { checkAccount } from './account.ts';
import { checkAlarms } from './alarms.ts';
import { checkApi } from './api.ts';
import { checkAudit } from './audit.ts';
import { checkClock } from './clock.ts';
import { examine, type Finding, ok } from './finding.ts';
import { checkItems } from './items.ts';
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
    // CloudTrail is not a part of a local run.
    ...(isLocal ? [] : [examine('audit', () => checkAudit(deployment))]),
    examine('dead letters', () => checkDeadLetters(deployment)),
    examine('due uploads', () => checkDueUploads(deployment, now())),
    examine('items', () => checkItems(deployment)),
    examine('api', () => checkApi(deployment)),
  ]);
}
