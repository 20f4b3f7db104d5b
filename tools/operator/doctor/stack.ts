import type { Stack, StackStatus } from '@aws-sdk/client-cloudformation';
import { type CheckResult, ok, warning } from './finding.ts';

/**
 * Checks the state of the stack:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Stack.html
 */
export function checkStack(stack: Stack): CheckResult {
  const { StackName = '', StackStatusReason, EnableTerminationProtection } = stack;
  const { StackStatus: state = 'unknown state' } = stack;
  const status = StackStatusReason === undefined ? state : `${state}: ${StackStatusReason}`;
  const known = stackStates.find(({ states }) => states.some((each) => each === state));
  const { check, means, action } = known ?? unknownState;
  if (check !== 'ok') {
    return { state: check, message: `${status}. ${means}.`, advice: `${action}.` };
  }
  // A stack of stage dev is never protected (docs/decisions/0020-protection-follows-the-first-success.md).
  if (StackName === 'file-sync-prod' && EnableTerminationProtection === false) {
    return warning(
      `${status}, but not protected from deletion.`,
      'A deployment switches the protection off, and a function switches the protection on again within 15 minutes. If the stack stays unprotected, read the log of the deletion-protection function.',
    );
  }
  return ok(status);
}

const unknownState = {
  check: 'failed',
  means: 'This state is unknown to this version of the command',
  action: 'Read its meaning in the CloudFormation User Guide, "Stack status codes"',
} as const;

/** States of a stack with the same next step. */
interface StackStates {
  readonly states: readonly StackStatus[];
  readonly check: CheckResult['state'];
  readonly means: string;
  /** Commands that CloudFormation accepts in each of these states. */
  readonly action: string;
}

/**
 * The states of a stack, by their next step. Sources: CloudFormation User Guide, "Stack status codes" and
 * "Continue rolling back an update"; API reference, RollbackStack and DeleteStack. The CDK deletes a stack in
 * ROLLBACK_COMPLETE or ROLLBACK_FAILED before it deploys.
 */
export const stackStates: readonly StackStates[] = [
  {
    states: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'],
    check: 'ok',
    means: 'The deployed version runs',
    action: 'None',
  },
  {
    states: [
      'CREATE_IN_PROGRESS',
      'UPDATE_IN_PROGRESS',
      'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
      'UPDATE_ROLLBACK_IN_PROGRESS',
      'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
      'ROLLBACK_IN_PROGRESS',
      'IMPORT_IN_PROGRESS',
      'IMPORT_ROLLBACK_IN_PROGRESS',
      'DELETE_IN_PROGRESS',
    ],
    check: 'warning',
    means: 'CloudFormation is changing the stack',
    action: 'Wait, and check again',
  },
  {
    states: ['UPDATE_ROLLBACK_COMPLETE', 'IMPORT_ROLLBACK_COMPLETE'],
    check: 'warning',
    means: 'The last deployment failed, and the previous version runs',
    action: 'Find the cause in the events of the stack, fix it, and run `npx cdk deploy`',
  },
  {
    states: ['UPDATE_ROLLBACK_FAILED', 'UPDATE_FAILED', 'CREATE_FAILED'],
    check: 'failed',
    means: 'A deployment failed, and was not rolled back',
    action:
      'Fix the cause, run `npx cdk rollback` (`--orphan LOGICAL_ID` skips a resource of a failed rollback), and run `npx cdk deploy`',
  },
  {
    states: ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS', 'DELETE_COMPLETE'],
    check: 'failed',
    means: 'No version runs',
    action:
      'Fix the cause, and run `npx cdk deploy`, which first deletes the rest of a failed first deployment',
  },
  {
    states: ['DELETE_FAILED'],
    check: 'failed',
    means: 'A resource could not be deleted, and the stack can only be deleted',
    action:
      'Fix the cause, and run `npx cdk destroy` again, or `aws cloudformation delete-stack --stack-name STACK --retain-resources LOGICAL_ID`',
  },
  {
    states: ['IMPORT_ROLLBACK_FAILED'],
    check: 'failed',
    means: 'AWS documents no next step',
    action: 'Ask AWS Support',
  },
];
