import { stsClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

const callers = new WeakMap<object, Promise<{ Arn?: string | undefined }>>();

/**
 * Returns the ARN of the caller's AWS credentials. STS is called once for each opened deployment: by a
 * command, or by a console while it runs. No policy can deny the call (STS API reference, GetCallerIdentity),
 * so a failure means that the credentials do not work. A failure is not cached.
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
