import type { LogWriter } from '../aws-services.ts';
import type { Authorize } from '../iam/authorize.ts';
import { arn } from '../shared/names.ts';
import type { StackIdentity } from '../shared/resource-type.ts';

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
