import { stsClient } from './aws-clients.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

const callers = new WeakMap<AwsConfig, Promise<string>>();

/**
 * The ARN of whoever the AWS credentials belong to. STS is asked once for a deployment that was opened: by a command, or by
 * a console while it runs. No policy can deny the call (STS API reference, GetCallerIdentity), so a failure means that the
 * credentials do not work. After a failure, STS is asked again.
 *
 * @throws the error of STS
 */
export function callerOf({ awsConfig }: Pick<Deployment, 'awsConfig'>): Promise<string> {
  const caller = callers.get(awsConfig) ?? askForCaller(awsConfig);
  callers.set(awsConfig, caller);
  caller.catch(() => callers.delete(awsConfig));
  return caller;
}

async function askForCaller(awsConfig: AwsConfig): Promise<string> {
  const sts = await stsClient({ awsConfig });
  const { Arn = '' } = await sts.getCallerIdentity({});
  return Arn;
}
