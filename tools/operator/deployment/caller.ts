import { stsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

const callers = new WeakMap<object, Promise<{ Arn?: string | undefined }>>();

/**
 * The ARN of whoever the AWS credentials belong to. STS is asked once for a deployment that was opened: by a command, or by
 * a console while it runs. No policy can deny the call (STS API reference, GetCallerIdentity), so a failure means that the
 * credentials do not work. After a failure, STS is asked again.
 *
 * @throws the error of STS
 */
export async function callerOf(deployment: Deployment): Promise<string> {
  const sts = await stsClient(deployment);
  const caller = callers.get(sts) ?? sts.getCallerIdentity({});
  callers.set(sts, caller);
  caller.catch(() => callers.delete(sts));
  return (await caller).Arn ?? '';
}
