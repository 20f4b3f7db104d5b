import type { StackIdentity } from '../../template/resource-type.ts';
import { arn } from '../arn.ts';
import type { Authorize } from '../authorize.ts';
import type { LogWriter } from '../local-aws.ts';

/**
 * Asks what Lambda asks before it writes the log of an execution environment: without both permissions the function
 * runs and its lines are lost (Lambda, "Sending Lambda function logs to CloudWatch Logs").
 */
export function createMayWriteLogs(authorize: Authorize, stack: StackIdentity) {
  return ({ roleArn, functionName, logGroupName }: LogWriter): boolean => {
    const principal = { kind: 'session', roleArn, sessionName: functionName } as const;
    const streams = arn(stack, 'logs', `log-group:${logGroupName}:log-stream:`);
    return (
      authorize({ principal, action: 'logs:CreateLogStream', resource: streams }).allowed &&
      authorize({ principal, action: 'logs:PutLogEvents', resource: `${streams}local` }).allowed
    );
  };
}
