import { stsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type CheckResult, ok } from './finding.ts';

/**
 * Reports the caller's credentials, account and region. No policy can deny this call (STS API reference,
 * GetCallerIdentity).
 */
export async function checkAccount(deployment: Deployment): Promise<CheckResult> {
  const sts = await stsClient(deployment);
  const { Arn, Account } = await sts.getCallerIdentity({});
  return ok(`${Arn} in account ${Account}, region ${await sts.config.region()}`);
}
