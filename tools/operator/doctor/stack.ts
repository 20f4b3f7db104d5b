import type { Stack } from '@aws-sdk/client-cloudformation';
import { type CheckResult, ok, warning } from './finding.ts';
import { stackStates } from './stack-states.ts';

/**
 * Checks the state of the stack:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Stack.html
 */
export function checkStack(stack: Stack): CheckResult {
  const { StackName = '', StackStatusReason, EnableTerminationProtection } = stack;
  const { StackStatus: state = 'in an unknown state' } = stack;
  const status = StackStatusReason === undefined ? state : `${state}: ${StackStatusReason}`;
  const known = stackStates.find(({ states }) => states.some((each) => each === state));
  const { check, means, action } = known ?? unknownState;
  if (check !== 'ok') {
    return { state: check, message: `${StackName} is ${status}. ${means}.`, advice: `${action}.` };
  }
  // A stack of stage dev is never protected (docs/decisions/0020-protection-follows-the-first-success.md).
  if (StackName === 'file-sync-prod' && EnableTerminationProtection === false) {
    return warning(
      `${StackName} is ${status}, but not protected from deletion.`,
      'A deployment switches the protection off, and a function switches the protection on again within 15 minutes. If the stack stays unprotected, read the log of the deletion-protection function.',
    );
  }
  return ok(`${StackName} is ${status}`);
}

const unknownState = {
  check: 'failed',
  means: 'This state is unknown to this version of the command',
  action: 'Read its meaning in the CloudFormation User Guide, "Stack status codes"',
} as const;
