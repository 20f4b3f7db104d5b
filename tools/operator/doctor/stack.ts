import type { Stack } from '@aws-sdk/client-cloudformation';
import { type CheckResult, failed, ok, warning } from './finding.ts';

/**
 * Checks the state of the stack:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Stack.html
 */
export function checkStack(stack: Stack): CheckResult {
  const { StackName = '', StackStatusReason, EnableTerminationProtection } = stack;
  const { StackStatus: state = 'in an unknown state' } = stack;
  const status = StackStatusReason === undefined ? state : `${state}: ${StackStatusReason}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(state)) {
    // A stack of stage dev is never protected (docs/decisions/0020-protection-follows-the-first-success.md).
    if (StackName === 'file-sync-prod' && EnableTerminationProtection === false) {
      return warning(
        `${StackName} is ${status}, but not protected from deletion.`,
        'A deployment switches the protection off, and a function switches the protection on again within 15 minutes. If the stack stays unprotected, read the log of the deletion-protection function.',
      );
    }
    return ok(`${StackName} is ${status}`);
  }
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(state)) {
    return warning(
      `${StackName} is ${status}. The last deployment failed, and the previous version runs.`,
      'Find the cause in the events of the stack in CloudFormation, and deploy again.',
    );
  }
  if (/_IN_PROGRESS$/.test(state)) {
    return warning(`${StackName} is ${status}.`, 'Wait until the deployment has ended, and check again.');
  }
  return failed(
    `${StackName} is ${status}.`,
    'Find the cause in the events of the stack in CloudFormation, and deploy again.',
  );
}
